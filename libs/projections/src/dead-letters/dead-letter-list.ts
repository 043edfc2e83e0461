import type { DeadLetter, DeadLetterEvent } from '#jobs';
import {
  type Document,
  DomainError,
  type Instant,
  type Projected,
  projection,
  type RecordedEvent,
  streamId,
  UnknownCollection,
  type WorkspaceId,
} from '#kernel';
import type { ReadModel } from '../engine/read-model.js';

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
/** A runner that has set more aside has set aside at least so much. */
export const MAX_COUNTED_DEAD_LETTERS = 1_000;

/** What runners could not process, for operators to see, and for lists that lack it. */
export class DeadLetterList {
  constructor(private readonly documents: Pick<ReadModel<Projected<DeadLetterDocument>>, 'find' | 'findEntries'>) {}

  async *all(): AsyncGenerator<Projected<DeadLetterDocument>> {
    for (let after = ''; ; ) {
      const page = await this.page(after);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < ITEMS_PER_PAGE) return;
      after = last.id;
    }
  }

  list(): Promise<DeadLetterDocument[]> {
    return Array.fromAsync(this.all());
  }

  /** How much each runner has set aside, up to 1,000 each: one short read for each. Runners without any are missing. */
  async countByRunner(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (let after = ''; ; ) {
      const entries = await this.runnersAfter(after);
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

  private page(after: string): Promise<readonly Projected<DeadLetterDocument>[]> {
    return unlessMissing(this.documents.find({ index: 'ids', gt: after, limit: ITEMS_PER_PAGE }));
  }

  /** The runner of each item, in the order of the runners. */
  private runnersAfter(runner: string): Promise<readonly Pick<DeadLetterDocument, 'runner'>[]> {
    return unlessMissing(
      this.documents.findEntries<'runner'>({ index: 'runner', gt: runner, limit: MAX_COUNTED_DEAD_LETTERS }),
    );
  }
}

/** An earlier version of the program had no such list: the first rebuild creates it. */
const unlessMissing = <Found>(reading: Promise<Found[]>): Promise<Found[]> =>
  reading.catch((error: unknown) => {
    if (error instanceof UnknownCollection) return [];
    throw error;
  });

/**
 * D67: a list or a figure that lacks what these read models or runners have set aside is refused, never shortened. Called
 * after the list was read: what is set aside between a check and a later read would be missing without notice.
 */
export const requireComplete = async (
  deadLetters: DeadLetterList,
  workspaceId: WorkspaceId,
  scopes: readonly string[],
): Promise<void> => {
  if (await deadLetters.isComplete(workspaceId, scopes)) return;
  const cause = new Error(`${scopes.join(', ')}: an item is set aside; run \`projections retry\``);
  throw new DomainError('provider_unavailable', { cause });
};
