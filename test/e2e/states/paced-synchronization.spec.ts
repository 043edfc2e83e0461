import { expect, test } from '@jest/globals';
import { BATCH_SIZE } from '#jobs';
import type { Agency } from '../support/agency.js';
import { startService } from '../support/start-service.js';

const service = await startService();

const LEAKS = 100;
const CREATORS = 3;

/** Counts the appends of findings, and the most of them that were under way together. */
const watchAppends = () => {
  const { log } = service.services;
  const append = log.append.bind(log);
  let [count, underWay, most] = [0, 0, 0];
  log.append = async (stream, ...sent) => {
    if (!stream.startsWith('case-')) return append(stream, ...sent);
    count++;
    most = Math.max(most, ++underWay);
    return append(stream, ...sent).finally(() => underWay--);
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

// libs/jobs/src/backpressure.spec.ts shows that the next batch waits for the read models.
test('first synchronizations of several agencies together append one batch at a time', async () => {
  const agencies = [await service.agency(), await service.agency()];
  const appends = await service.whileNothingIsDone(async () => {
    const creators = await Promise.all(agencies.map(creatorsWithLeaks));
    const watched = watchAppends();
    const reads = agencies.flatMap(({ api }, at) => creators[at]?.map((id) => api.cases(id)) ?? []);
    for (const cases of await Promise.all(reads)) expect(cases).toHaveLength(LEAKS);
    return watched.stop();
  });
  expect(appends.count).toBe(agencies.length * CREATORS * LEAKS);
  expect(appends.most).toBeLessThanOrEqual(BATCH_SIZE);
});
