import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { endOf } from '#jobs';
import type { Projection } from '#kernel';
import { ReadModelComparison } from './comparison.js';
import { ReadModelsConsumer } from './consumer/read-models-consumer.js';
import { Counting, counts } from './counting.fixtures.js';
import { ProjectionEngine } from './engine/projection-engine.js';
import { READ_MODELS } from './engine/read-models-runner.js';
import { Rebuild } from './rebuild/rebuild.js';
import { liveCollectionsOf } from './stored-live-collections.js';

const [KNOWN, ADDED]: [Projection, Projection] = [counts(1), { ...counts(1), name: 'added' }];

let counting: Counting;
beforeEach(async () => {
  counting = await Counting.open();
});
afterEach(() => counting.log.close());

/** An older build: it knows one of the read models, and has a checkpoint with the runner's name and no list. */
const runOlderBuild = async (build: number): Promise<void> => {
  const { log, store } = counting;
  const after = (await store.checkpoint(READ_MODELS))?.position ?? 0;
  const collection = (await counting.live())?.collection ?? '';
  const { events } = await log.readLog({ after, types: new Set(KNOWN.on.keys()) });
  const writes = await new ProjectionEngine([{ projection: KNOWN, collection }]).project(store, events);
  await store.write(writes, { name: READ_MODELS, fence: 100 + build, ...(await endOf(log)) });
};

const runThisBuild = async (build: number): Promise<void> => {
  const { log, store } = counting;
  const consumer = new ReadModelsConsumer(store, new Rebuild(log, store), [KNOWN, ADDED]);
  const { runner, reached } = counting.runningConsumer(consumer, `build-${build}/1/1/`);
  await reached();
  await runner.stop();
};

const write = async (build: number): Promise<void> => {
  for (const what of ['kept', `of build ${build}`, 'gone', `gone ${build}`]) await counting.append(what);
  for (const what of ['gone', `gone ${build}`]) await counting.append(what, 'forgotten.v1');
  if (build > 1) await counting.append(`of build ${build - 1}`);
};

it('D112: a folder that an older build and this one run in turns has the read models of a rebuild', async () => {
  for (const [build, run] of [runOlderBuild, runThisBuild, runOlderBuild, runThisBuild].entries()) {
    await write(build);
    await run(build);
    await write(build + 10);
    await run(build);
  }
  const { log, store } = counting;
  const both = [KNOWN, ADDED];
  const compared = await new ReadModelComparison(log, store).run(both);
  expect(compared.differences).toEqual([]);
  expect(compared.readModels.map(({ documents }) => documents)).toEqual([10, 10]);
});

it('D112: an erasure that the lane has not passed, as an older build makes it, rebuilds what it may have left', async () => {
  const { log, store } = counting;
  const erased: Projection = { ...counts(1), name: 'erased', erasedBy: 'forgotten.v1' };
  let starts = 0;
  const collectionsAfterStart = async (whileRunning: () => Promise<unknown> = async () => undefined) => {
    const consumer = new ReadModelsConsumer(store, new Rebuild(log, store), [KNOWN, erased]);
    const { runner, reached } = counting.runningConsumer(consumer, `start-${++starts}/1/1/`);
    await reached();
    await whileRunning();
    await reached();
    await runner.stop();
    const live = await liveCollectionsOf(store, [KNOWN, erased]);
    return [KNOWN, erased].map(({ name }) => live.get(name)?.collection);
  };
  const erase = () => counting.append('gone', 'forgotten.v1');
  await counting.append('kept');
  const [counted, before] = await collectionsAfterStart(erase);
  await counting.append('kept');
  expect(await collectionsAfterStart()).toEqual([counted, before]);
  await erase();
  const [still, after] = await collectionsAfterStart();
  expect(still).toBe(counted);
  expect(after).not.toBe(before);
  expect(await collectionsAfterStart()).toEqual([counted, after]);
});
