import { setTimeout as delay } from 'node:timers/promises';
import { endOf } from '#jobs';
import type { DocumentStore, EventLog, Projection } from '#kernel';
import { byRunner, laneOfReadModels, Rebuild } from '#projections';

const LOOK_INTERVAL = 20;

/** A rebuild with a leader whose lanes stand at the log's end. */
export const ledRebuild = async (
  projections: readonly Projection[],
  log: EventLog,
  store: DocumentStore,
): Promise<void> => {
  const rebuild = new Rebuild(log, store);
  const end = await endOf(log);
  const lanes = [...byRunner(projections)].map(([runner, own]) => {
    return { own, checkpoint: { name: laneOfReadModels(runner), fence: 1, ...end } };
  });
  for (const { checkpoint } of lanes) await store.write([], checkpoint);
  const ended = rebuild.run(projections).then(() => true);
  while (!(await Promise.race([ended, delay(LOOK_INTERVAL, false)]))) {
    for (const { own, checkpoint } of lanes) await rebuild.finish(own, checkpoint);
  }
};
