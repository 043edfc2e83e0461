import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { DAY, streamName } from '#kernel';
import { aService, claimed, contextOf, type Service, scope } from '../../../contexts/src/service.fixtures.js';
import {
  activated,
  activationRequested,
  active,
  fact,
  mia,
  miaUser,
  native,
  paused,
} from '../../../creators/src/domain/creator.fixtures.js';
import { cancelQueuedScan, completeScan, dispatchScan, scanDecider } from '../domain/scan.js';
import { scanAllowanceDecider } from '../domain/scan-allowance.js';
import { CancelAndReleaseScans } from './cancel-and-release-scans.js';
import { ScanAdmissions } from './scan-admissions.js';
import { scanCommands } from './scan-commands.fixtures.js';
import { ScheduledScans } from './scheduled-scans.js';

let service: Service;
let reaction: LogConsumer;

beforeEach(async () => {
  service = await aService();
  reaction = new CancelAndReleaseScans(scanCommands(service));
  service.platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...active);
});

const queue = async (key = 'key') => (await service.queueScan(mia, scope, key, contextOf())).scan.scanId;
const scan = async (scanId: string) => (await service.runner.load(scanDecider, scanId)).state;
const pendingScan = async () => (await service.runner.load(scanAllowanceDecider, mia)).state.pending?.scanId;
const dispatch = (scanId: string) =>
  service.runner.run(scanDecider, scanId, contextOf(), (state) => dispatchScan(state, []));
const complete = (scanId: string) => {
  const job = { jobId: 'j', status: 'completed', errorCode: null, finishedAt: null } as const;
  return service.runner.run(scanDecider, scanId, contextOf(), (state, now) => completeScan(state, job, now));
};

describe('the allowance of a creator', () => {
  it('is released once, when the scan has ended', async () => {
    const scanId = await queue();
    await dispatch(scanId);
    await service.show(reaction);
    expect(await pendingScan()).toBe(scanId);
    await complete(scanId);
    await service.show(reaction);
    await service.show(reaction);
    expect(await pendingScan()).toBeUndefined();
    expect(await service.typesOf(streamName('scanAllowance', mia))).toEqual([
      'scanAllowance.scanAdmitted.v1',
      'scanAllowance.scanReleased.v1',
    ]);
  });

  it('keeps its pending scan when the end of an earlier one is processed', async () => {
    const first = await queue('first');
    await dispatch(first);
    await complete(first);
    const second = await queue('second');
    await service.show(reaction);
    expect(await pendingScan()).toBe(second);
  });

  it('is released after a cancellation', async () => {
    const scanId = await queue();
    await service.runner.run(scanDecider, scanId, contextOf(), (state, now) => cancelQueuedScan(state, now));
    await service.show(reaction);
    expect(await pendingScan()).toBeUndefined();
  });
});

describe('a pause', () => {
  it('cancels the queued scan', async () => {
    const scanId = await queue();
    await service.creatorDid(mia, paused);
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    await service.show(reaction);
    expect(await pendingScan()).toBeUndefined();
  });

  it('does not cancel a scan that was queued after it, however late it is processed (D79)', async () => {
    await service.creatorDid(mia, paused, activationRequested, activated);
    const scanId = await queue();
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'queued' });
  });

  it('cancels a scan that was queued before it, also if protection is active again (D79)', async () => {
    const scanId = await queue();
    await service.creatorDid(mia, paused, activationRequested, activated);
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
  });

  it('of a creator whose data was erased cancels with that reason (D72)', async () => {
    const scanId = await queue();
    await service.creatorDid(mia, paused, fact('personalDataErased', {}));
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
  });

  it('does not cancel a dispatched scan', async () => {
    const scanId = await queue();
    await dispatch(scanId);
    await service.creatorDid(mia, paused);
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'dispatching' });
    expect(await pendingScan()).toBe(scanId);
  });

  it('of a creator without a scan changes nothing', async () => {
    await service.creatorDid(mia, paused);
    const head = await service.log.head();
    await service.show(reaction);
    expect(await service.log.head()).toBe(head);
  });
});

it('an erasure cancels what was queued before it, also without a pause (D72)', async () => {
  const scanId = await queue();
  await service.creatorDid(mia, fact('personalDataErased', {}));
  await service.show(reaction);
  expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
});

describe('an admission that a crash left without its scan', () => {
  const admissions = () => new ScanAdmissions(scanCommands(service)).handle(claimed('admission', mia));

  it('gets the scan that was admitted, once', async () => {
    const { scans } = service;
    const open = scans.open;
    scans.open = () => Promise.reject(new Error('the process is no more'));
    await expect(queue()).rejects.toThrow('no more');
    scans.open = open;
    const admitted = await pendingScan();
    await admissions();
    await admissions();
    expect(await service.typesOf(streamName('scan', admitted ?? ''))).toEqual(['scan.queued.v1']);
    expect(await queue()).toBe(admitted);
  });

  it('needs nothing if no scan is pending', async () => {
    expect(await admissions()).toBe('idle');
  });

  it('releases a scheduled scan that was admitted again after its end', async () => {
    service.clock.advance(DAY);
    const schedule = new ScheduledScans(scanCommands(service));
    const queueScheduled = () => schedule.handle(claimed('scheduledScan', mia));
    await queueScheduled();
    const scheduled = (await pendingScan()) ?? '';
    await dispatch(scheduled);
    await complete(scheduled);
    await service.show(reaction);
    expect(await pendingScan()).toBeUndefined();
    // The worker that queued it died before it recorded its next due time.
    await queueScheduled();
    expect(await pendingScan()).toBe(scheduled);
    expect(await admissions()).toBe('idle');
    expect(await pendingScan()).toBeUndefined();
  });
});
