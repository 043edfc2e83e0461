import { afterAll, expect, jest, test } from '@jest/globals';
import { Announcements, VisibleEvents } from '#event-feed';
import type { CreatorId } from '#kernel';
import { KEY_CACHE_TTL } from '#personal-data';
import { eventually } from '#testing';
import type { OpenService } from '../../support/open-service.js';
import { erase } from '../../support/operator-actions.js';
import { servicesOf } from '../../support/services.js';
import { startService } from '../support/start-service.js';

const service = await startService();
/** The operators' tool, a separate process on the same stores. */
const opened = await service.openAnother();
const tool = opened.services;
afterAll(() => opened.close());

const erasable = async (): Promise<CreatorId> => {
  const agency = await service.agency();
  return (await agency.linked()).id as CreatorId;
};

test.each([
  ['an API', (process: OpenService) => process.startApi()],
  ['a worker', (process: OpenService) => process.startWorker()],
])('D72: %s forgets the key and all folds of a creator that another process erases', async (_, start) => {
  const creatorId = await erasable();
  const process = await service.openAnother();
  const running = await start(process);
  try {
    const { personalKeys, runner } = servicesOf(running.app);
    const forgotten: unknown[] = [];
    personalKeys.forget = (creatorId) => forgotten.push(creatorId);
    runner.forget = () => forgotten.push('folds');
    await erase(tool, creatorId, 0);
    await eventually(() => expect(forgotten).toEqual(expect.arrayContaining([creatorId, 'folds'])));
  } finally {
    await running.stop();
    await process.close();
  }
});

test('D72: a worker also forgets published events and announced states, and again when no key can be cached', async () => {
  const creatorId = await erasable();
  const process = await service.openAnother();
  const running = await process.startWorker();
  try {
    const forgotten = new Map<string, number[]>([Announcements, VisibleEvents].map(({ name }) => [name, []]));
    const note = ({ name }: { readonly name: string }) => forgotten.get(name)?.push(performance.now());
    running.app.get(Announcements, { strict: false }).forget = () => note(Announcements);
    running.app.get(VisibleEvents, { strict: false }).forget = () => note(VisibleEvents);
    await erase(tool, creatorId, 0);
    await eventually(() => {
      for (const [first = 0, ...later] of forgotten.values()) {
        expect((later.at(-1) ?? first) - first).toBeGreaterThan(KEY_CACHE_TTL);
      }
    });
  } finally {
    await running.stop();
    await process.close();
  }
});

test('D72: an erasure rebuilds the read models when no process can decrypt with the destroyed key any more', async () => {
  const wait = 300;
  const times: number[] = [];
  const noteTime = () => times.push(performance.now());
  const { personalKeys, rebuild } = tool;
  const destroy = personalKeys.destroy.bind(personalKeys);
  const run = rebuild.run.bind(rebuild);
  jest.spyOn(personalKeys, 'destroy').mockImplementation((...args) => destroy(...args).finally(noteTime));
  jest.spyOn(rebuild, 'run').mockImplementation((...args) => {
    noteTime();
    return run(...args);
  });
  await erase(tool, await erasable(), wait);
  jest.restoreAllMocks();
  const [destroyedAt = 0, rebuiltAt = 0] = times;
  expect(times).toHaveLength(2);
  // A timer may be a millisecond early.
  expect(rebuiltAt - destroyedAt).toBeGreaterThan(wait - 5);
});
