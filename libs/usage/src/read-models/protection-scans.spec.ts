import { beforeEach, expect, it } from '@jest/globals';
import { derivedId, KeyedQueue, StoreUnavailable } from '#kernel';
import { eventually, InMemoryEventLog } from '#testing';
import { ProtectionScans } from './protection-scans.js';

const [lumen, nova] = [derivedId('workspace', 'ag_lumen'), derivedId('workspace', 'ag_nova')];

/** Each read waits until the test lets it go on or fail. */
class HeldLog extends InMemoryEventLog {
  readonly held: PromiseWithResolvers<void>[] = [];

  override async readLog(...query: Parameters<InMemoryEventLog['readLog']>) {
    const read = Promise.withResolvers<void>();
    this.held.push(read);
    await read.promise;
    return super.readLog(...query);
  }
}

let log: HeldLog;

beforeEach(() => {
  log = new HeldLog();
});

/** The read with that number, once it has begun. */
const readOf = async (number: number): Promise<PromiseWithResolvers<void>> => {
  await eventually(() => log.held.length === number);
  const read = log.held.at(-1);
  if (read === undefined) throw new Error('nothing is read');
  return read;
};

it('shares the scan of a workspace that waits, also after an earlier one of it has failed', async () => {
  const scans = new ProtectionScans(log);
  const failing = scans.of(lumen);
  const first = await readOf(1);
  const another = scans.of(nova);
  const waiting = scans.of(lumen);
  first.reject(new Error('cannot be read'));
  await expect(failing).rejects.toThrow('cannot be read');
  const second = await readOf(2);
  expect(scans.of(lumen)).toBe(waiting);
  second.resolve();
  (await readOf(3)).resolve();
  expect(await Promise.all([another, waiting])).toEqual([[], []]);
});

it('begins another scan after one that was refused, because the log could not be reached', async () => {
  const scans = new ProtectionScans(log, new KeyedQueue(-1));
  const failing = scans.of(nova);
  const first = await readOf(1);
  const refused = scans.of(lumen);
  first.reject(new StoreUnavailable('gone'));
  await expect(failing).rejects.toThrow('gone');
  await expect(refused).rejects.toThrow('gone');
  const again = scans.of(lumen);
  (await readOf(2)).resolve();
  expect(await again).toEqual([]);
});
