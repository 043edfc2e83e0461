import { beforeEach, describe, expect, it } from '@jest/globals';
import { DomainError, type DueOutcome, derivedId, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import { aService, claimed, contextOf, owner, type Service, scanId } from '../../../contexts/src/service.fixtures.js';
import {
  activated,
  activationRequested,
  active,
  agency,
  fact,
  mia,
  miaUser,
  native,
  paused,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import type { ScanJob } from '../application/ports.js';
import { dispatchScan, queueScan, scanDecider } from '../domain/scan.js';
import { ScanProgress } from './scan-progress.js';

const POLL = 7 * SECOND;
const TIMEOUT = 5 * SECOND;

let service: Service;
let progress: ScanProgress;
let began: number;

beforeEach(async () => {
  service = await aService();
  const { log, runner, creators, engine, cases, access, clock } = service;
  progress = new ScanProgress(log, runner, creators, engine, cases, access, {
    pollEvery: POLL,
    providerTimeout: TIMEOUT,
  });
  service.platform.users.set(miaUser, native());
  service.leaks.join(miaUser);
  await service.creatorDid(mia, ...active);
  const order = { scanId, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
  await runner.run(scanDecider, scanId, contextOf(), (scan) => queueScan(scan, order));
  began = clock.now();
});

const step = (): Promise<DueOutcome> => progress.handle(claimed('scan', scanId), service.clock.now());
const failedStep = async (): Promise<string> => {
  const error = await step().catch((failure: unknown) => failure);
  return error instanceof DomainError ? error.code : `no refusal: ${String(error)}`;
};
const scan = async () => (await service.runner.load(scanDecider, scanId)).state;
const history = async () =>
  (await service.typesOf(streamName('scan', scanId))).map((type) => type.replace(/^scan\.|\.v1$/g, ''));
const engineSays = (change: Partial<ScanJob>) => service.engine.progress(scanId, change);
const inUncertainty = async () => {
  service.engine.failNext({ outcome: 'lost', arrived: false });
  await failedStep();
  service.clock.advance(2 * TIMEOUT);
};
const pause = () => service.creatorDid(mia, paused);
const unavailable = new DomainError('provider_unavailable');

it('leaves half of its places to others while long findings are read, and keeps its claim', () => {
  const { concurrency, maxSlow, ttl } = progress;
  expect({ concurrency, maxSlow, ttl }).toEqual({ concurrency: 16, maxSlow: 8, ttl: Number.POSITIVE_INFINITY });
});

describe('a queued scan', () => {
  it('is dispatched with what the creator is searched for, and its job is looked at again later', async () => {
    expect(await step()).toEqual({ retryAt: began + POLL });
    const handles = [{ platform: 'onlyfans', username: 'MiaRose', variants: ['mimi', 'rosie'] }];
    expect(service.engine.orders).toEqual([{ reference: scanId, agencyId: agency, userId: miaUser, handles }]);
    expect(await scan()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}`, handles });
    expect(await history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is dispatched with what was submitted for the creator, though it has yet to be written', async () => {
    const profiles = [{ platform: 'x', username: 'rosie', profileId: null }];
    const identity = { displayName: 'Mia', aliases: [], profiles };
    const personal = { externalId: 'ext-1', identity };
    await service.creatorDid(mia, { type: 'creator.importLinked.v1', data: { epoch: 1, personal } });
    await step();
    const [order] = service.engine.orders;
    expect(order?.handles.map(({ platform, username }) => `${platform}/${username}`)).toEqual([
      'onlyfans/MiaRose',
      'x/rosie',
    ]);
  });

  it('goes on with the request that made it due, and names the event that did', async () => {
    const { cause } = claimed('scan', scanId);
    await step();
    const [, ...steps] = await service.log.readStream(streamName('scan', scanId));
    expect(steps.map(({ metadata }) => metadata)).toMatchObject(
      steps.map(() => ({ actor: 'process:scan', causationId: cause.id, correlationId: cause.correlationId })),
    );
    expect(steps).toHaveLength(2);
  });

  it('records that it will be dispatched before it is', async () => {
    const { engine } = service;
    const dispatch = engine.dispatch.bind(engine);
    engine.dispatch = async (order) => {
      expect(await scan()).toMatchObject({ status: 'dispatching', jobId: null });
      return dispatch(order);
    };
    await step();
  });

  it('is cancelled unsent where protection was paused', async () => {
    await pause();
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused', jobId: null });
    expect(service.engine.orders).toEqual([]);
  });

  it('is cancelled unsent where a pause came after it, by position in the log, though protection is active again (D79)', async () => {
    await pause();
    await service.creatorDid(mia, activationRequested, activated);
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(service.engine.orders).toEqual([]);
  });

  it('is dispatched where the pause came before it (D79)', async () => {
    await service.creatorDid(mia, paused, activationRequested, activated);
    const later = derivedId('scan', 'later');
    const order = { scanId: later, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await service.runner.run(scanDecider, later, contextOf(), (state) => queueScan(state, order));
    await progress.handle(claimed('scan', later), service.clock.now());
    expect(service.engine.orders.map(({ reference }) => reference)).toEqual([later]);
  });

  it('of a creator whose data was erased is cancelled with that reason (D72)', async () => {
    await service.creatorDid(mia, paused, fact('personalDataErased', {}));
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
  });

  it('stays queued where this worker has no engine, and is dispatched when one has (D79)', async () => {
    service.engine.configured = false;
    expect(await step()).toEqual({ retryAt: began + MINUTE });
    expect(await history()).toEqual(['queued']);
    service.engine.configured = true;
    await step();
    expect(await history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is cancelled by a pause also where there is no engine', async () => {
    service.engine.configured = false;
    await pause();
    await step();
    expect(await scan()).toMatchObject({ status: 'cancelled' });
  });

  it('whose intent another worker records first is sent by that one alone', async () => {
    const before = service.creators.load;
    service.creators.load = async (creatorId) => {
      service.creators.load = before;
      await service.runner.run(scanDecider, scanId, contextOf(), (state) => dispatchScan(state, []));
      return service.creators.load(creatorId);
    };
    expect(await step()).toBe('done');
    expect(service.engine.orders).toEqual([]);
  });

  it.each([
    ['nothing_to_scan', 'nothing_to_scan'],
    ['bad_handles', 'engine_rejected'],
  ])('that is refused with %s has failed with %s', async (code, errorCode) => {
    service.engine.failNext({ outcome: 'refused', code });
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'failed', errorCode, jobId: null });
  });

  it('whose job is done at once is complete at once', async () => {
    const { engine } = service;
    const dispatch = engine.dispatch.bind(engine);
    engine.dispatch = async (order) => {
      await dispatch(order);
      engineSays({ status: 'completed' });
      return dispatch(order);
    };
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'completed' });
  });

  it('waits for an agency that is denied, and is not thought about meanwhile (D19)', async () => {
    service.directory.put({ id: agency, name: '', onboardingComplete: true, kycApproved: false, ownerUserId: owner });
    expect(await step()).toEqual({ retryAt: began + MINUTE });
    service.directory.failure = new Error('down');
    expect(await step()).toEqual({ retryAt: began + 5 * SECOND });
    expect([service.engine.orders, await history()]).toEqual([[], ['queued']]);
  });
});

describe('a crash after the intent to dispatch', () => {
  beforeEach(async () => {
    const { engine } = service;
    const dispatch = engine.dispatch;
    engine.dispatch = () => Promise.reject(new Error('the process is no more'));
    await expect(step()).rejects.toThrow('no more');
    engine.dispatch = dispatch;
  });

  it('is left alone while the call may still be under way', async () => {
    service.clock.advance(2 * TIMEOUT - 1);
    expect(await step()).toEqual({ retryAt: began + 2 * TIMEOUT });
    expect(service.engine.lookups).toBe(0);
  });

  it('is settled by looking up, then by the same order', async () => {
    service.clock.advance(2 * TIMEOUT);
    await step();
    expect(service.engine.lookups).toBe(1);
    expect(service.engine.orders).toHaveLength(1);
    expect(await history()).toEqual(['queued', 'dispatchStarted', 'outcomeLost', 'accepted']);
  });
});

describe('a job', () => {
  beforeEach(async () => {
    await step();
    service.clock.advance(POLL);
  });

  it('that waits, then runs, is followed without a word too many', async () => {
    expect(await step()).toEqual({ retryAt: began + 2 * POLL });
    expect(await history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
    engineSays({ status: 'running' });
    await step();
    await step();
    expect(await history()).toEqual(['queued', 'dispatchStarted', 'accepted', 'started']);
    expect(await scan()).toMatchObject({ status: 'running' });
  });

  it('that has completed is told of after its findings, which are the scan’s (D48)', async () => {
    service.leaks.put(miaUser, { leakId: 'l1', jobId: `job-${scanId}`, updatedAt: began });
    service.leaks.put(miaUser, { leakId: 'l2', jobId: 'another job', updatedAt: began });
    engineSays({ status: 'completed', finishedAt: began + 3 });
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'completed', finishedAt: began + 3, errorCode: null });
    const { events } = await service.log.readLog({ after: 0, types: new Set(['case.opened.v1', 'scan.completed.v1']) });
    expect(events.map(({ type }) => type)).toEqual(['case.opened.v1', 'case.opened.v1', 'scan.completed.v1']);
    expect(events.slice(0, 2).map(({ data }) => Reflect.get(data, 'scanId'))).toEqual([scanId, null]);
  });

  it('that has completed is not, while its findings can not be read', async () => {
    engineSays({ status: 'completed' });
    service.leaks.failure = unavailable;
    expect(await failedStep()).toBe('provider_unavailable');
    expect(await scan()).toMatchObject({ status: 'running' });
    service.leaks.failure = undefined;
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'completed' });
  });

  it('that has completed for a creator that left is complete once its membership has ended', async () => {
    engineSays({ status: 'completed' });
    service.leaks.leave(miaUser);
    expect(await step()).toEqual({ retryAt: service.clock.now() + POLL });
    expect(await service.creators.load(mia)).toMatchObject({ membership: { status: 'missing' } });
    expect(await step()).toEqual({ retryAt: service.clock.now() + POLL });
    await service.creatorDid(mia, fact('membershipEnded', {}));
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'completed' });
  });

  it.each([
    ['failed', 'captcha', 'captcha'],
    ['failed', null, 'engine_rejected'],
    ['cancelled', 'operator', 'operator'],
    ['cancelled', null, null],
  ] as const)('that has %s with %s ends the scan with %s', async (status, errorCode, expected) => {
    engineSays({ status, errorCode, finishedAt: began + 1 });
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status, errorCode: expected, finishedAt: began + 1 });
  });

  it('goes on when protection is paused meanwhile', async () => {
    await pause();
    engineSays({ status: 'running' });
    await step();
    expect(await scan()).toMatchObject({ status: 'running' });
  });

  it('that has vanished is uncertain, and found again goes on', async () => {
    service.engine.lose(scanId);
    expect(await step()).toEqual({ retryAt: began + 2 * POLL });
    expect(await scan()).toMatchObject({ status: 'uncertain' });
    expect(await failedStep()).toBe('provider_invalid_response');
    // It may have been lost from sight only: it is not started a second time.
    expect(service.engine.orders).toHaveLength(1);
  });

  it('that can not be asked for is uncertain, and goes on when it can', async () => {
    service.engine.failure = unavailable;
    expect(await failedStep()).toBe('provider_unavailable');
    expect(await scan()).toMatchObject({ status: 'uncertain', jobId: `job-${scanId}` });
    service.engine.failure = undefined;
    engineSays({ status: 'running' });
    await step();
    expect(await scan()).toMatchObject({ status: 'running' });
    expect(service.engine.orders).toHaveLength(1);
  });

  it.each([
    ['vanished', () => service.engine.lose(scanId)],
    [
      'been out of reach',
      () => {
        service.engine.failure = unavailable;
      },
    ],
  ])('that has %s for 72 hours is given up', async (_, disturb) => {
    disturb();
    await step().catch(() => undefined);
    service.clock.advance(72 * HOUR - 1);
    await failedStep();
    expect(await scan()).toMatchObject({ status: 'uncertain' });
    service.clock.advance(1);
    await step().catch(() => undefined);
    expect(await scan()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown', jobId: `job-${scanId}` });
    expect(await step()).toBe('idle');
  });
});

describe('an uncertain dispatch', () => {
  it('is told as a failure, so that it is tried again with growing waits', async () => {
    service.engine.failNext({ outcome: 'lost', arrived: true });
    expect(await failedStep()).toBe('provider_timeout');
    expect(await scan()).toMatchObject({ status: 'uncertain', jobId: null });
  });

  it('whose order had arrived is found by its reference, and not sent again', async () => {
    service.engine.failNext({ outcome: 'lost', arrived: true });
    await failedStep();
    // The call whose answer was lost may still be under way: the engine could not know of it yet.
    service.clock.advance(2 * TIMEOUT - 1);
    expect(await step()).toEqual({ retryAt: began + 2 * TIMEOUT });
    expect(service.engine.lookups).toBe(0);
    service.clock.advance(1);
    expect(await step()).toEqual({ retryAt: service.clock.now() + POLL });
    expect(await scan()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
    expect(service.engine.orders).toHaveLength(1);
  });

  it('whose order had not is sent again under the same key with the same body, whatever the creator is now', async () => {
    await inUncertainty();
    await service.creatorDid(mia, fact('identityObserved', { personal: { identity: native().identity } }));
    await step();
    const [first, second] = service.engine.orders;
    expect(second).toEqual(first);
    expect(await scan()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
  });

  it('is not sent again while the engine can not be asked whether it has it', async () => {
    await inUncertainty();
    service.engine.failure = unavailable;
    expect(await failedStep()).toBe('provider_unavailable');
    expect(service.engine.orders).toHaveLength(1);
  });

  it('of a creator that was paused is cancelled after two looks a timeout apart, and never sent again', async () => {
    await inUncertainty();
    await pause();
    expect(await step()).toEqual({ retryAt: service.clock.now() + TIMEOUT });
    service.clock.advance(TIMEOUT - 1);
    expect(await step()).toEqual({ retryAt: service.clock.now() + TIMEOUT });
    expect(await scan()).toMatchObject({ status: 'uncertain' });
    service.clock.advance(1);
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(service.engine.orders).toHaveLength(1);
  });

  it('of a creator that was paused goes on where the order had arrived', async () => {
    service.engine.failNext({ outcome: 'lost', arrived: true });
    await failedStep();
    await pause();
    service.clock.advance(2 * TIMEOUT);
    await step();
    expect(await scan()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
  });

  it('of a creator that was paused and activated again counts its looks anew', async () => {
    await inUncertainty();
    await pause();
    await step();
    await service.creatorDid(mia, activationRequested, activated);
    service.clock.advance(TIMEOUT);
    await inUncertainty();
    await pause();
    await step();
    expect(await scan()).toMatchObject({ status: 'uncertain' });
    service.clock.advance(TIMEOUT);
    await step();
    expect(await scan()).toMatchObject({ status: 'cancelled' });
  });

  it('is given up after 72 hours', async () => {
    await inUncertainty();
    service.clock.advance(72 * HOUR);
    expect(await step()).toBe('done');
    expect(await scan()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown', jobId: null });
  });
});

it('has nothing to do for a scan that has ended, or that there never was', async () => {
  await pause();
  await step();
  const { lookups, orders } = service.engine;
  expect(await step()).toBe('idle');
  expect(await progress.handle(claimed('scan', 'scn_unheard_of'), began)).toBe('idle');
  expect([service.engine.lookups, service.engine.orders]).toEqual([lookups, orders]);
});
