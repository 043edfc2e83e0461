import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { CreatorAccess, type EnrolledCreator, isFound, ObserveCreator, publicCreator } from '#creators';
import { idParam } from '#http';
import {
  type CreatorId,
  EventLog,
  holdsEncrypted,
  parseId,
  type StreamName,
  streamName,
  type WorkspaceId,
} from '#kernel';
import type { Switch } from '#usage';
import type { ProtectionSwitch } from '../../answers/creators.js';
import type { NamedActor } from '../access/actor-names.js';
import type { DashboardSession } from '../access/dashboard-session.js';

/** Resources of a creator whose streams are named by the id that the API shows. */
const RECORD_KINDS = ['scan', 'case', 'deindexRequest', 'impersonation'] as const;

interface CreatorRecord {
  readonly stream: StreamName;
  readonly creatorId: CreatorId | undefined;
  readonly workspaceId: WorkspaceId | null;
}

interface Named {
  readonly name: string;
  readonly externalId: string | null;
}

@Injectable()
export class FoundCreators {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly creators: CreatorAccess,
    private readonly log: EventLog,
  ) {}

  /** D78: before anything is shown, asks the platform whether the creator still belongs to the agency. */
  async refresh(id: string, { agencyId, context }: DashboardSession): Promise<EnrolledCreator> {
    const creatorId = idParam('creator', id);
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    return this.commands.execute(new ObserveCreator(creatorId, { agencyId, workspaceId, epoch }, context));
  }

  /** The names of the workspace's creators that it can see, from their streams (D9). One whose key is missing has none. */
  async names(workspaceId: WorkspaceId, creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, string>> {
    const named = await this.named(workspaceId, creatorIds);
    return new Map([...named].map(([creatorId, { name }]) => [creatorId, name]));
  }

  /** The same with the agency's own ids of them. */
  async named(workspaceId: WorkspaceId, creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, Named>> {
    const loaded = await Promise.all([...new Set(creatorIds)].map((creatorId) => this.creators.recorded(creatorId)));
    const own = loaded.filter(isFound).filter(({ state }) => state.workspaceId === workspaceId);
    const visible = own.filter(({ state }) => state.membership.status === 'current');
    const names = visible.map(({ state }) => {
      const { display_name: name, external_id: externalId } = publicCreator(state);
      return [state.creatorId, { name, externalId }] as const;
    });
    return new Map(names.filter(([, named]) => !holdsEncrypted(named)));
  }

  /** Finds a scan, case, deindex request or impersonation of any agency. Its first event names the creator. */
  async record(text: string): Promise<CreatorRecord | undefined> {
    const stream = streamOf(text);
    const [first] = stream === undefined ? [] : await this.log.readStream(stream, { limit: 1 });
    if (stream === undefined || first === undefined) return undefined;
    const { creatorId } = first.data as { readonly creatorId?: CreatorId };
    return { stream, creatorId, workspaceId: first.metadata.workspaceId };
  }
}

const streamOf = (text: string): StreamName | undefined => {
  for (const kind of RECORD_KINDS) {
    const id = parseId(kind, text);
    if (id !== undefined) return streamName(kind, id);
  }
  return undefined;
};

interface Switched {
  readonly opened: Switch;
  readonly closed: Switch | null;
}

export const actorsOf = (intervals: readonly Switched[]): string[] =>
  intervals.flatMap(({ opened, closed }) => (closed === null ? [opened.actor] : [opened.actor, closed.actor]));

export const shownSwitch = (
  { eventId, revision, at, actor, requestId, reason }: Switch,
  named: (actor: string) => NamedActor,
): ProtectionSwitch => ({
  event_id: eventId,
  timeline_cursor: String(revision + 1),
  at,
  ...named(actor),
  request_id: requestId,
  reason,
});
