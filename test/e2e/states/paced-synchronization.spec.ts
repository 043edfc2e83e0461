import { expect, test } from '@jest/globals';
import { PUBLISHER } from '#event-feed';
import { BATCH_SIZE } from '#jobs';
import type { Position } from '#kernel';
import { READ_MODELS } from '#projections';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const LEAKS = 100;
const CREATORS = 3;

/** Watches how many findings are in the log that read models or feed do not have yet; the largest number there was. */
const watchLag = () => {
  const { log, progress } = service.services;
  const append = log.append.bind(log);
  let recorded: Position[] = [];
  let [count, most] = [0, 0];
  log.append = async (stream, ...sent) => {
    const appended = await append(stream, ...sent);
    if (!stream.startsWith('case-')) return appended;
    const passed = Math.min(await progress.of(READ_MODELS), await progress.of(PUBLISHER));
    recorded = [...recorded, appended.position].filter((position) => position > passed);
    count++;
    most = Math.max(most, recorded.length);
    return appended;
  };
  return {
    stop() {
      log.append = append;
      return { count, most };
    },
  };
};

const creatorsWithLeaks = async (agency: Agency) => {
  const creators = [];
  for (let n = 0; n < CREATORS; n++) {
    const creator = await agency.linked();
    await agency.leaks(creator.userId, LEAKS);
    creators.push(creator.id);
  }
  return creators;
};

test('first synchronizations of several agencies together are never more than one batch ahead of the read models', async () => {
  const agencies = [await service.agency(), await service.agency()];
  const lag = await service.whileNothingIsDone(async () => {
    const creators = await Promise.all(agencies.map(creatorsWithLeaks));
    const watched = watchLag();
    const reads = agencies.flatMap(({ api }, at) => creators[at]?.map((id) => api.cases(id)) ?? []);
    for (const cases of await Promise.all(reads)) expect(cases).toHaveLength(LEAKS);
    return watched.stop();
  });
  expect(lag.count).toBe(agencies.length * CREATORS * LEAKS);
  expect(lag.most).toBeLessThanOrEqual(BATCH_SIZE);
});
