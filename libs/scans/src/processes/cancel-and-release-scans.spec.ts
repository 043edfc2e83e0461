import { beforeEach, describe, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { streamName } from '#kernel';
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

let service: Service;
let reaction: LogConsumer;

beforeEach(async () => {
  service = await aService();
  reaction = new CancelAndReleaseScans(service.scanRepository, service.scans, service.creators);
  service.platform.users.set(miaUser, native());
  await service.creatorDid(mia, ...active);
});

const queue = async (key = 'key') => (await service.queueScan(mia, scope, key, contextOf())).scan.scanId;
const scan = async (scanId: string) => (await service.runner.load(scanDecider, scanId)).state;
const place = async () => (await service.runner.load(scanAllowanceDecider, mia)).state.pending?.scanId;
const dispatch = (scanId: string) =>
  service.runner.run(scanDecider, scanId, contextOf(), (state) => dispatchScan(state, []));
const complete = (scanId: string) => {
  const job = { jobId: 'j', status: 'completed', errorCode: null, finishedAt: null } as const;
  return service.runner.run(scanDecider, scanId, contextOf(), (state, now) => completeScan(state, job, now));
};

describe('the place of a scan', () => {
  it('is free again when the scan has ended, once', async () => {
    const scanId = await queue();
    await dispatch(scanId);
    await service.show(reaction);
    expect(await place()).toBe(scanId);
    await complete(scanId);
    await service.show(reaction);
    await service.show(reaction);
    expect(await place()).toBeUndefined();
    expect(await service.typesOf(streamName('scanAllowance', mia))).toEqual([
      'scanAllowance.scanAdmitted.v1',
      'scanAllowance.scanReleased.v1',
    ]);
  });

  it('stays with the scan that has it now, when an earlier one’s end is seen again', async () => {
    const first = await queue('first');
    await dispatch(first);
    await complete(first);
    const second = await queue('second');
    await service.show(reaction);
    expect(await place()).toBe(second);
  });

  it('is free after a cancellation', async () => {
    const scanId = await queue();
    await service.runner.run(scanDecider, scanId, contextOf(), (state, now) => cancelQueuedScan(state, now));
    await service.show(reaction);
    expect(await place()).toBeUndefined();
  });
});

describe('a pause', () => {
  it('cancels what waits', async () => {
    const scanId = await queue();
    await service.creatorDid(mia, paused);
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    await service.show(reaction);
    expect(await place()).toBeUndefined();
  });

  it('cancels nothing that was queued after it, however late it is seen (D79)', async () => {
    await service.creatorDid(mia, paused, activationRequested, activated);
    const scanId = await queue();
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'queued' });
  });

  it('cancels what was queued before it, also when protection is active again (D79)', async () => {
    const scanId = await queue();
    await service.creatorDid(mia, paused, activationRequested, activated);
    await service.show(reaction);
    expect(await scan(scanId)).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
  });

  it('of a creator whose data was erased has that reason (D72)', async () => {
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
    expect(await place()).toBe(scanId);
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
  const admissions = () => new ScanAdmissions(service.scanAllowances, service.scans).handle(claimed('admission', mia));

  it('gets the scan that was admitted, once', async () => {
    const { scans } = service;
    const open = scans.open;
    scans.open = () => Promise.reject(new Error('the process is no more'));
    await expect(queue()).rejects.toThrow('no more');
    scans.open = open;
    const admitted = await place();
    await admissions();
    await admissions();
    expect(await service.typesOf(streamName('scan', admitted ?? ''))).toEqual(['scan.queued.v1']);
    expect(await queue()).toBe(admitted);
  });

  it('needs nothing where the place is free', async () => {
    expect(await admissions()).toBe('idle');
  });

  it('gives up the place of a scheduled scan that was admitted again after its end', async () => {
    const creator = await service.creators.load(mia);
    if (creator.status === 'unknown') throw new Error('no creator');
    const dueAt = service.clock.now();
    const { scan: scheduled } = await service.scans.queueScheduled(creator, dueAt, contextOf());
    await dispatch(scheduled.scanId);
    await complete(scheduled.scanId);
    await service.show(reaction);
    // The worker had queued it and died before it could say so.
    await service.scans.queueScheduled(creator, dueAt, contextOf());
    expect(await place()).toBe(scheduled.scanId);
    expect(await admissions()).toBe('idle');
    expect(await place()).toBeUndefined();
  });
});
