import { PRESETS, type PublicConnection, type PublicWorkspace, type PublicWorkspaceSummary } from '#agencies';
import {
  described,
  flag,
  idOf,
  instant,
  type JsonSchema,
  knownOf,
  listOf,
  live,
  type Members,
  objectOf,
  oneOf,
  orNull,
  text,
} from '#http';

const workspaceSummary: Members<PublicWorkspaceSummary> = {
  id: idOf('workspace'),
  external_id: described(text, "The platform's id of the agency."),
  name: text,
};

const partner = objectOf({
  id: described(text, "The platform's id of the agency."),
  name: text,
  kind: oneOf('agency'),
});

export const AGENCY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Connection: objectOf<PublicConnection>({
    partner: described(partner, 'The agency. The name of the field is a legacy.'),
    workspace_id: described(orNull(idOf('workspace')), 'The one workspace of the key.'),
    key_id: described(orNull(idOf('key')), 'A reference to the key. It cannot authenticate.'),
    scopes: listOf(knownOf(PRESETS.read_write, 'A scope of the key.')),
    expires_at: described(orNull(instant), 'Unix epoch milliseconds; null for a key without an end.'),
    environment: oneOf('live'),
    workspaces: described(
      listOf(objectOf(workspaceSummary)),
      'The workspace of the key; empty for a key without `workspaces:read`.',
    ),
    engine_configured: described(flag, 'Whether scans can be queued.'),
    simulated: live,
  }),
  Workspace: objectOf<PublicWorkspace>({ ...workspaceSummary, created_at: instant, simulated: live }),
};
