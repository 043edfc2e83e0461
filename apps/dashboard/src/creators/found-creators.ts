import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetBinding } from '#agencies';
import { CreatorAccess, type EnrolledCreator, isFound, ObserveCreator, publicCreator } from '#creators';
import { idParam } from '#http';
import { type CreatorId, EventLog, parseId, type StreamName, streamName, type WorkspaceId } from '#kernel';
import type { Visit } from '../access/visit.js';

/** D78: nothing of a creator is shown before the platform was asked whether it still is the agency's. */
@Injectable()
export class SeenCreators {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  async see(id: string, { agencyId, context }: Visit): Promise<EnrolledCreator> {
    const creatorId = idParam('creator', id);
    const { workspaceId, epoch } = await this.queries.execute(new GetBinding(agencyId));
    return this.commands.execute(new ObserveCreator(creatorId, { agencyId, workspaceId, epoch }, context));
  }
}

/** The names of creators as their streams have them: no read model of the dashboard holds one. */
@Injectable()
export class CreatorNames {
  constructor(private readonly creators: CreatorAccess) {}

  /** Those that the agency can see. */
  async of(creatorIds: readonly CreatorId[]): Promise<ReadonlyMap<CreatorId, string>> {
    const loaded = await Promise.all([...new Set(creatorIds)].map((creatorId) => this.creators.recorded(creatorId)));
    return new Map(
      loaded
        .filter(isFound)
        .filter(({ state }) => isVisible(state))
        .map(({ state }) => [state.creatorId, publicCreator(state).display_name] as const),
    );
  }
}

const isVisible = ({ membership }: EnrolledCreator): boolean => membership.status === 'current';

/** Resources of a creator whose streams are named by the id that the API shows. */
const KINDS = ['scan', 'case', 'deindexRequest', 'impersonation'] as const;

interface RecordOfCreator {
  readonly stream: StreamName;
  readonly creatorId: CreatorId | undefined;
  readonly workspaceId: WorkspaceId | null;
}

/** Scans, cases, deindex requests and impersonations. The first event of each names its creator. */
@Injectable()
export class RecordsOfCreators {
  constructor(private readonly log: EventLog) {}

  /** The record of that id, of any agency. */
  async find(text: string): Promise<RecordOfCreator | undefined> {
    const stream = streamOf(text);
    const [first] = stream === undefined ? [] : await this.log.readStream(stream, { limit: 1 });
    if (stream === undefined || first === undefined) return undefined;
    const { creatorId } = first.data as { readonly creatorId?: CreatorId };
    return { stream, creatorId, workspaceId: first.metadata.workspaceId };
  }
}

const streamOf = (text: string): StreamName | undefined => {
  for (const kind of KINDS) {
    const id = parseId(kind, text);
    if (id !== undefined) return streamName(kind, id);
  }
  return undefined;
};
