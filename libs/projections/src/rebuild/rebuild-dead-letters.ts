import type { DeadLetters } from '#jobs';
import { type Projected, type Projection, processContext, streamId } from '#kernel';
import type { DeadLetterDocument, DeadLetterList } from '../dead-letters/dead-letter-list.js';
import { READ_MODEL_RUNNERS, READ_MODELS } from '../engine/read-models-runner.js';
import type { FoldFailure } from './write-buffer.js';

/** The set-aside events that a rebuild processes, and those that it cannot process either (D67). */
export class RebuildDeadLetters {
  constructor(
    private readonly deadLetters: DeadLetters,
    private readonly list: Pick<DeadLetterList, 'all'>,
  ) {}

  async ofReadModels(projections: readonly Projection[]): Promise<readonly Projected<DeadLetterDocument>[]> {
    const names = new Set(projections.map(({ name }) => name));
    const found: Projected<DeadLetterDocument>[] = [];
    for await (const deadLetter of this.list.all()) {
      if (READ_MODEL_RUNNERS.has(deadLetter.runner) && deadLetter.part !== null && names.has(deadLetter.part))
        found.push(deadLetter);
    }
    return found;
  }

  /** May be repeated. Returns the ids of what is set aside. */
  async record(failures: readonly FoldFailure[]): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (const { readModel, event, error } of failures) {
      const { id, stream, revision, metadata } = event;
      const { name: part, runner = READ_MODELS } = readModel;
      const { correlationId, workspaceId } = metadata;
      const deadLetter = { runner, part, item: { kind: 'event', eventId: id, stream, revision } } as const;
      const recorded = await this.deadLetters.record(deadLetter, error, { id, correlationId, workspaceId });
      ids.add(streamId(recorded.stream));
    }
    return ids;
  }

  /** Records that the read models have now processed the events. */
  async retried(deadLetters: readonly DeadLetterDocument[]): Promise<void> {
    for (const { eventId: id, correlationId, workspaceId, runner, part, item } of deadLetters) {
      const context = processContext('rebuild', workspaceId, { id, correlationId });
      await this.deadLetters.retry({ runner, part, item }, context);
    }
  }
}
