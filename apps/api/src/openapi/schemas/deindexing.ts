import type { PublicDeindexRequest } from '#deindexing';
import { described, flag, idOf, instant, type JsonSchema, knownOf, live, objectOf, oneOf, orNull } from '#http';

export const DEINDEX_STATUSES = [
  'queued',
  'dispatching',
  'uncertain',
  'submitted',
  'completed',
  'rejected',
  'failed',
  'cancelled',
] as const satisfies readonly PublicDeindexRequest['status'][];

const ERROR_CODES = ['outcome_unknown', 'membership_ended', 'personal_data_erased'];

export const DEINDEX_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DeindexRequest: objectOf<PublicDeindexRequest>({
    id: idOf('deindexRequest'),
    case_id: idOf('case'),
    creator_id: idOf('creator'),
    provider: oneOf('search'),
    status: knownOf(DEINDEX_STATUSES, '`queued` means neither submitted nor removed.'),
    simulated: live,
    submitted_to_provider: described(flag, 'What the provider says; an accepted request alone does not set it.'),
    removal_verified: described(flag, 'What the provider says; an accepted request alone does not set it.'),
    created_at: instant,
    updated_at: instant,
    error_code: orNull(knownOf(ERROR_CODES, 'Why it failed; the provider has its own codes too.')),
  }),
};
