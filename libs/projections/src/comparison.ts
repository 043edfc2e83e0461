import type { Clock, DocumentStore, EventLog, Projection } from '#kernel';
import { byRunner } from './engine/read-models-runner.js';
import { RebuildLock } from './rebuild/rebuild-lock.js';
import type { OnProgress } from './rebuild/rebuild-targets.js';
import { type Comparison, RunnerComparison } from './runner-comparison.js';

/**
 * Rebuilds read models without switching to them, and finds the documents that differ from the live ones.
 *
 * The service continues to run, so a document may differ only because one of its two versions is older. The documents
 * that differ are compared again, the last time with the runner paused and both collections at the same event.
 */
export class ReadModelComparison {
  constructor(
    private readonly all: readonly Projection[],
    private readonly log: EventLog,
    private readonly store: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** Compares some of the read models. Rejects with `VersionMismatch`. */
  async run(projections: readonly Projection[], onProgress: OnProgress = () => {}): Promise<Comparison> {
    const { log, store, clock } = this;
    const all = byRunner(this.all);
    const compared: Comparison[] = [];
    for (const [runner, own] of byRunner(projections)) {
      const lock = new RebuildLock(runner, store, clock);
      compared.push(await new RunnerComparison(all.get(runner) ?? [], log, store, lock).run(own, onProgress));
    }
    const order = projections.map(({ name }) => name);
    const readModels = compared.flatMap((ofRunner) => ofRunner.readModels);
    return {
      readModels: readModels.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
      differences: compared.flatMap(({ differences }) => differences),
    };
  }
}
