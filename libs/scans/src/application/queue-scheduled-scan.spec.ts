import { beforeEach, describe, expect, it } from '@jest/globals';
import { roundContext } from '#jobs';
import { derivedId, HOUR, MINUTE, SECOND } from '#kernel';
import { active, agency, mia, miaUser, native, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import {
  claimed,
  contextOf,
  owner,
  scope,
  type TestedContext,
  testedContext,
} from '../../../testing/src/tested-context.js';
import { cancelQueuedScan, scanDecider } from '../domain/scan.js';
import { releaseScan, scanAllowanceDecider } from '../domain/scan-allowance.js';
import { ScansModule } from '../scans.module.js';
import { ScansOptions } from './ports.js';
import { QueueScan } from './queue-scan.js';
import { QueueScheduledScan } from './queue-scheduled-scan.js';

const EVERY = 24 * HOUR;
const YEAR = 365 * EVERY;

let service: TestedContext;
let since: number;

beforeEach(async () => {
  const options = { scheduleEvery: EVERY, pollEvery: MINUTE, providerTimeout: 5 * SECOND };
  service = await testedContext([ScansModule], [given(ScansOptions, options)]);
  service.platform.users.set(miaUser, native());
  since = service.clock.now();
  await service.creatorDid(mia, ...active);
});

const at = (after: number, plannedAfter?: number) => {
  service.clock.set(since + after);
  const plannedFor = plannedAfter === undefined ? undefined : since + plannedAfter;
  return service.commands.execute(new QueueScheduledScan(mia, plannedFor, roundContext(claimed('scheduledScan', mia))));
};
const scanDueAt = async (after: number) =>
  (await service.runner.load(scanDecider, derivedId('scan', mia, 'scheduled', since + after))).state;
const pendingScan = async () => (await service.runner.load(scanAllowanceDecider, mia)).state.pending?.scanId;
const end = async () => {
  await service.runner.run(scanAllowanceDecider, mia, contextOf(), (state) =>
    state.pending === null ? [] : releaseScan(state, state.pending.scanId, 'ended'),
  );
};

describe('the schedule (D49)', () => {
  it('starts one full interval after activation', async () => {
    expect(await at(0)).toEqual({ retryAt: since + EVERY });
    expect(await at(EVERY - 1)).toEqual({ retryAt: since + EVERY });
    expect(await pendingScan()).toBeUndefined();
    expect(await at(EVERY)).toEqual({ retryAt: since + 2 * EVERY });
    expect(await scanDueAt(EVERY)).toMatchObject({ status: 'queued', source: 'scheduled', creatorId: mia });
  });

  it('is not skipped where the pending scan ends while the platform is asked', async () => {
    await at(EVERY);
    const pending = derivedId('scan', mia, 'scheduled', since + EVERY);
    expect(await pendingScan()).toBe(pending);
    service.platform.duringRead = () =>
      service.runner.run(scanDecider, pending, contextOf(), (scan, now) => cancelQueuedScan(scan, now));
    await at(2 * EVERY);
    expect(await scanDueAt(2 * EVERY)).toMatchObject({ status: 'queued' });
  });

  it('catches up after a long pause of the worker with one scan', async () => {
    expect(await at(10 * EVERY + HOUR)).toEqual({ retryAt: since + 11 * EVERY });
    expect(await scanDueAt(10 * EVERY)).toMatchObject({ status: 'queued' });
    for (let interval = 1; interval < 10; interval++) {
      expect(await scanDueAt(interval * EVERY)).toEqual({ status: 'unknown' });
    }
  });

  it('queues scans that are pending like manual ones, and do not count (D46)', async () => {
    const queue = (key: string) => service.commands.execute(new QueueScan(mia, scope, key, contextOf()));
    await at(EVERY);
    await expect(queue('k1')).rejects.toMatchObject({ code: 'scan_in_progress' });
    await end();
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await queue(key);
      await end();
    }
    await expect(queue('f')).rejects.toMatchObject({ code: 'scan_limit_reached' });
  });

  it('skips what falls due while another scan is pending', async () => {
    await at(EVERY);
    expect(await at(2 * EVERY)).toEqual({ retryAt: since + 3 * EVERY });
    expect(await scanDueAt(2 * EVERY)).toEqual({ status: 'unknown' });
  });

  it('skips while the platform says that the creator is not eligible, and continues when it is', async () => {
    service.platform.users.set(miaUser, native({ entitlement: { active: false, source: 'none' } }));
    expect(await at(EVERY)).toEqual({ retryAt: since + 2 * EVERY });
    expect(await scanDueAt(EVERY)).toEqual({ status: 'unknown' });
    service.platform.users.set(miaUser, native());
    await at(2 * EVERY);
    expect(await scanDueAt(2 * EVERY)).toMatchObject({ status: 'queued' });
  });

  it('skips while the creator is missing (D43)', async () => {
    service.platform.users.delete(miaUser);
    expect(await at(EVERY)).toEqual({ retryAt: since + 2 * EVERY });
    expect(await scanDueAt(EVERY)).toEqual({ status: 'unknown' });
  });

  it('queues the scan of a creator that is seen again if it has its slot again, and skips it otherwise (D77)', async () => {
    await service.creators.reportMissing(mia, contextOf());
    await at(EVERY);
    expect(await scanDueAt(EVERY)).toMatchObject({ status: 'queued' });
    await end();
    await service.creators.reportMissing(mia, contextOf());
    service.platform.outcomes.set('occupySlot', { outcome: 'refused', code: 'capacity_reached' });
    expect(await at(2 * EVERY)).toEqual({ retryAt: since + 3 * EVERY });
    expect(await scanDueAt(2 * EVERY)).toEqual({ status: 'unknown' });
  });

  it('skips without an engine', async () => {
    service.engine.configured = false;
    expect(await at(EVERY)).toEqual({ retryAt: since + 2 * EVERY });
  });

  it('is postponed while the agency is denied, and then queues the scan that was due', async () => {
    service.directory.put({
      id: agency,
      name: '',
      onboardingComplete: false,
      kycStatus: 'approved',
      ownerUserId: owner,
    });
    expect(await at(EVERY)).toEqual({ retryAt: since + EVERY + MINUTE });
    service.directory.put({
      id: agency,
      name: '',
      onboardingComplete: true,
      kycStatus: 'approved',
      ownerUserId: owner,
    });
    await at(EVERY + MINUTE);
    expect(await scanDueAt(EVERY)).toMatchObject({ status: 'queued' });
  });

  it('tries again, and skips nothing, if the platform fails', async () => {
    service.platform.failure = new Error('down');
    await expect(at(EVERY)).rejects.toThrow('down');
    service.platform.failure = undefined;
    await at(EVERY + MINUTE);
    expect(await scanDueAt(EVERY)).toMatchObject({ status: 'queued' });
  });

  describe('after an activation by a clock that was a year ahead', () => {
    beforeEach(async () => {
      await service.creatorDid(mia, paused);
      service.clock.jump(YEAR);
      await service.creatorDid(mia, ...active.slice(-2));
      service.clock.jump(-YEAR);
    });

    it('starts one full interval after the first look, and continues from one due time to the next', async () => {
      expect(await at(HOUR)).toEqual({ retryAt: since + HOUR + EVERY });
      expect(await at(2 * HOUR, HOUR + EVERY)).toEqual({ retryAt: since + HOUR + EVERY });
      expect(await pendingScan()).toBeUndefined();
      expect(await at(3 * HOUR + EVERY, HOUR + EVERY)).toEqual({ retryAt: since + HOUR + 2 * EVERY });
      expect(await scanDueAt(HOUR + EVERY)).toMatchObject({ status: 'queued', source: 'scheduled' });
    });

    it('starts one full interval after the first look by the right clock', async () => {
      expect(await at(HOUR, YEAR)).toEqual({ retryAt: since + HOUR + EVERY });
      expect(await pendingScan()).toBeUndefined();
    });

    it('catches up after a long pause of the worker with one scan', async () => {
      expect(await at(10 * EVERY + HOUR, EVERY)).toEqual({ retryAt: since + 11 * EVERY });
      expect(await scanDueAt(10 * EVERY)).toMatchObject({ status: 'queued' });
      expect(await scanDueAt(EVERY)).toEqual({ status: 'unknown' });
    });
  });

  it('ends with a pause, and starts over from the next activation', async () => {
    await service.creatorDid(mia, paused);
    expect(await at(EVERY)).toBe('idle');
    expect(await pendingScan()).toBeUndefined();
    await service.creatorDid(mia, ...active.slice(-2));
    expect(await at(EVERY + HOUR)).toEqual({ retryAt: since + 2 * EVERY });
    expect(await pendingScan()).toBeUndefined();
  });
});
