import type { SetAsides } from '#jobs';
import { type Projected, type Projection, processContext, streamId } from '#kernel';
import { READ_MODEL_RUNNERS, READ_MODELS } from '../engine/read-models-runner.js';
import type { SetAsideDocument, SetAsideList } from '../set-asides/set-aside-list.js';
import type { FoldFailure } from './write-buffer.js';

/** The set-aside events that a rebuild processes, and those that it cannot process either (D67). */
export class RebuildAsides {
  constructor(
    private readonly setAsides: SetAsides,
    private readonly list: Pick<SetAsideList, 'all'>,
  ) {}

  async ofReadModels(projections: readonly Projection[]): Promise<readonly Projected<SetAsideDocument>[]> {
    const names = new Set(projections.map(({ name }) => name));
    const found: Projected<SetAsideDocument>[] = [];
    for await (const aside of this.list.all()) {
      if (READ_MODEL_RUNNERS.has(aside.runner) && aside.part !== null && names.has(aside.part)) found.push(aside);
    }
    return found;
  }

  /** May be repeated. Returns the ids of what is set aside. */
  async setAside(failures: readonly FoldFailure[]): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const { readModel, event, error } of failures) {
      const { id, stream, revision, metadata } = event;
      const { name: part, runner = READ_MODELS } = readModel;
      const { correlationId, workspaceId } = metadata;
      const aside = { runner, part, item: { kind: 'event', eventId: id, stream, revision } } as const;
      const recorded = await this.setAsides.record(aside, error, { id, correlationId, workspaceId });
      ids.add(streamId(recorded.stream));
    }
    return ids;
  }

  /** Records that the read models have now processed the events. */
  async retried(asides: readonly SetAsideDocument[]): Promise<void> {
    for (const { eventId: id, correlationId, workspaceId, runner, part, item } of asides) {
      const context = processContext('rebuild', workspaceId, { id, correlationId });
      await this.setAsides.retry({ runner, part, item }, context);
    }
  }
}
