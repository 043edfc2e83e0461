import { Injectable } from '@nestjs/common';
import type { DeadLetter, DeadLetterEvent } from '#jobs';
import {
  type Document,
  DomainError,
  EventLog,
  type Instant,
  LanePositions,
  type Projected,
  projection,
  type RecordedEvent,
  streamId,
  UnknownCollection,
  type WorkspaceId,
} from '#kernel';
import { READ_MODEL_RUNNERS } from '../engine/read-models-runner.js';
import type { ReadModel } from '../read-models/read-models.js';

/** An item that is set aside, until it has been processed (D67). Its id is that of its stream. */
export interface DeadLetterDocument extends Document, DeadLetter {
  /** The read model that lacks it, or otherwise the runner. */
  readonly scope: string;
  readonly workspaceId: WorkspaceId | null;
  readonly error: string;
  readonly at: Instant;
  readonly eventId: string;
  readonly correlationId: string;
}

/** The read model that lacks the event until it is rebuilt; null for other work. */
export const readModelOf = ({ runner, part }: DeadLetter): string | null =>
  READ_MODEL_RUNNERS.has(runner) ? part : null;

const ofStream = { documents: ({ stream }: RecordedEvent) => streamId(stream) };

export const deadLetterProjection = projection<DeadLetterDocument, DeadLetterEvent>({
  name: 'set_aside',
  version: 1,
  indexes: [
    { name: 'ids', fields: [] },
    { name: 'workspace', fields: ['workspaceId', 'scope'] },
    { name: 'runner', fields: ['runner'] },
  ],
  on: {
    'setAside.setAside.v1': {
      ...ofStream,
      fold: (_, { id: eventId, data: { runner, part, item, error }, metadata }, id) => {
        const { workspaceId, at, correlationId } = metadata;
        return { id, runner, part, item, scope: part ?? runner, workspaceId, error, at, eventId, correlationId };
      },
    },
    'setAside.retried.v1': { ...ofStream, fold: () => undefined },
  },
});

const ITEMS_PER_PAGE = 1_000;
/** A runner that has set aside more is counted with this number. */
export const MAX_COUNTED_DEAD_LETTERS = 1_000;

/** For operators, and for lists that lack a set-aside item. */
export class DeadLetterList {
  constructor(private readonly documents: Pick<ReadModel<Projected<DeadLetterDocument>>, 'find' | 'findEntries'>) {}

  async list(): Promise<Projected<DeadLetterDocument>[]> {
    const found: Projected<DeadLetterDocument>[] = [];
    for (let after = ''; ; after = found.at(-1)?.id ?? after) {
      const page = await unlessMissing(this.documents.find({ index: 'ids', gt: after, limit: ITEMS_PER_PAGE }));
      found.push(...page);
      if (page.length < ITEMS_PER_PAGE) return found;
    }
  }

  /** How much each runner has set aside, up to 1,000 each: one short read for each. Runners without any are missing. */
  async countByRunner(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (let after = ''; ; ) {
      const query = { index: 'runner', gt: after, limit: MAX_COUNTED_DEAD_LETTERS };
      const entries = await unlessMissing(this.documents.findEntries<'runner'>(query));
      const [first] = entries;
      if (first === undefined) return counts;
      counts.set(first.runner, entries.filter(({ runner }) => runner === first.runner).length);
      after = first.runner;
    }
  }

  /** Whether none of these read models, or runners, lacks anything of the workspace. */
  async isComplete(workspaceId: WorkspaceId, scopes: readonly string[]): Promise<boolean> {
    const lacks = scopes.map(async (scope) => {
      const query = { index: 'workspace', equals: [workspaceId, scope], limit: 1 };
      return (await this.documents.find(query)).length > 0;
    });
    return !(await Promise.all(lacks)).some(Boolean);
  }
}

/** An earlier version of the program had no such list; the first rebuild creates it. */
const unlessMissing = <Found>(reading: Promise<Found[]>): Promise<Found[]> =>
  reading.catch((error: unknown) => {
    if (error instanceof UnknownCollection) return [];
    throw error;
  });

/** D67: a list that lacks something is refused, never shortened. Call it after the read, so that nothing is missed. */
export const requireComplete = async (
  deadLetters: DeadLetterList,
  workspaceId: WorkspaceId,
  scopes: readonly string[],
): Promise<void> => {
  if (await deadLetters.isComplete(workspaceId, scopes)) return;
  const cause = new Error(`${scopes.join(', ')}: an item is set aside; run \`projections retry\``);
  throw new DomainError('provider_unavailable', { cause });
};

@Injectable()
export class RunnerHealth {
  constructor(
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly list: DeadLetterList,
  ) {}

  /** Degraded: something is set aside, or a runner is behind and does not advance (D67, D68). Only `logRunners` have a lag. */
  async status(runners: readonly string[], logRunners: readonly string[]) {
    const { log, progress, list } = this;
    const lags = await progress.lags(logRunners, await log.head());
    const counts = await list.countByRunner();
    const deadLetters = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const isStalled = [...lags].some(([runner, lag]) => lag > 0 && progress.isStalled(runner));
    return {
      isDegraded: deadLetters > 0 || isStalled,
      deadLetters,
      runners: runners.map((name) => ({ name, lag: lags.get(name), deadLetters: counts.get(name) ?? 0 })),
    };
  }
}
