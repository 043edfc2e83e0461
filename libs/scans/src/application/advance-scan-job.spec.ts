import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, derivedId, HOUR } from '#kernel';
import { fact, mia, miaUser } from '../../../creators/src/domain/creator.fixtures.js';
import { POLL, QueuedScan, scanId } from './advance-scan.fixtures.js';

let queued: QueuedScan;

beforeEach(async () => {
  queued = await QueuedScan.queue();
});

const unavailable = new DomainError('provider_unavailable');

describe('a job', () => {
  beforeEach(async () => {
    await queued.step();
    queued.service.clock.advance(POLL);
  });

  it('that waits, then runs, is followed without superfluous events', async () => {
    expect(await queued.step()).toEqual({ retryAt: queued.began + 2 * POLL });
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
    queued.engineSays({ status: 'running' });
    await queued.step();
    await queued.step();
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted', 'started']);
    expect(await queued.state()).toMatchObject({ status: 'running' });
  });

  it('that has completed is announced after its findings, which are attributed to the scan (D48)', async () => {
    queued.service.leaks.put(miaUser, { leakId: 'l1', jobId: `job-${scanId}`, updatedAt: queued.began });
    queued.service.leaks.put(miaUser, { leakId: 'l2', jobId: 'another job', updatedAt: queued.began });
    queued.engineSays({ status: 'completed', finishedAt: queued.began + 3 });
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'completed', finishedAt: queued.began + 3, errorCode: null });
    const { events } = await queued.service.log.readLog({
      after: 0,
      types: new Set(['case.opened.v1', 'scan.completed.v1']),
    });
    expect(events.map(({ type }) => type)).toEqual(['case.opened.v1', 'case.opened.v1', 'scan.completed.v1']);
    expect(events.slice(0, 2).map(({ data }) => Reflect.get(data, 'scanId'))).toEqual([scanId, null]);
  });

  it('that has completed is not announced while its findings cannot be read', async () => {
    queued.engineSays({ status: 'completed' });
    queued.service.leaks.failure = unavailable;
    expect(await queued.failedStep()).toBe('provider_unavailable');
    expect(await queued.state()).toMatchObject({ status: 'running' });
    queued.service.leaks.failure = undefined;
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'completed' });
  });

  it('that has completed for a creator that left is complete once its membership has ended', async () => {
    queued.engineSays({ status: 'completed' });
    queued.service.leaks.leave(miaUser);
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + POLL });
    expect((await queued.service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'missing' } });
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + POLL });
    await queued.service.creatorDid(mia, fact('membershipEnded', {}));
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'completed' });
  });

  it('that has completed for a creator whose data was erased is complete, and its findings are not read (D72)', async () => {
    queued.engineSays({ status: 'completed' });
    await queued.service.creatorDid(mia, fact('membershipEnded', {}), fact('personalDataErased', {}));
    const { length } = queued.service.leaks.reads;
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'completed' });
    expect(queued.service.leaks.reads).toHaveLength(length);
  });

  it.each([
    ['failed', 'captcha', 'captcha'],
    ['failed', null, 'engine_rejected'],
    ['cancelled', 'operator', 'operator'],
    ['cancelled', null, null],
  ] as const)('that has %s with %s ends the scan with %s', async (status, errorCode, expected) => {
    queued.engineSays({ status, errorCode, finishedAt: queued.began + 1 });
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status, errorCode: expected, finishedAt: queued.began + 1 });
  });

  it('continues when protection is paused while it runs', async () => {
    await queued.pause();
    queued.engineSays({ status: 'running' });
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'running' });
  });

  it('that has vanished is uncertain, and continues if it is found again', async () => {
    queued.service.engine.lose(scanId);
    expect(await queued.step()).toEqual({ retryAt: queued.began + 2 * POLL });
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + POLL });
    // The engine may find it again, so it is not started a second time.
    expect(queued.service.engine.orders).toHaveLength(1);
  });

  it('that cannot be looked up is uncertain, and continues when it can', async () => {
    queued.service.engine.failure = unavailable;
    expect(await queued.failedStep()).toBe('provider_unavailable');
    expect(await queued.state()).toMatchObject({ status: 'uncertain', jobId: `job-${scanId}` });
    queued.service.engine.failure = undefined;
    queued.engineSays({ status: 'running' });
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'running' });
    expect(queued.service.engine.orders).toHaveLength(1);
  });

  it.each([
    ['vanished', () => queued.service.engine.lose(scanId)],
    [
      'been out of reach',
      () => {
        queued.service.engine.failure = unavailable;
      },
    ],
  ])('that has %s for 72 hours is given up', async (_, disturb) => {
    disturb();
    await queued.step().catch(() => undefined);
    queued.service.clock.advance(72 * HOUR - 1);
    await queued.failedStep();
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    queued.service.clock.advance(1);
    await queued.step().catch(() => undefined);
    expect(await queued.state()).toMatchObject({
      status: 'failed',
      errorCode: 'outcome_unknown',
      jobId: `job-${scanId}`,
    });
    expect(await queued.step()).toBe('idle');
  });
});

it('has nothing to do for a scan that has ended or never existed', async () => {
  await queued.pause();
  await queued.step();
  const { lookups, orders } = queued.service.engine;
  expect(await queued.step()).toBe('idle');
  expect(await queued.step(derivedId('scan', 'unheard of'))).toBe('idle');
  expect([queued.service.engine.lookups, queued.service.engine.orders]).toEqual([lookups, orders]);
});
