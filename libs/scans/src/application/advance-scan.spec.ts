import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClockWatch } from '#jobs';
import { DAY, DomainError, derivedId, HOUR, MINUTE, SECOND, streamName } from '#kernel';
import {
  activated,
  activationRequested,
  agency,
  fact,
  identityObserved,
  mia,
  miaUser,
  native,
  paused,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { claimed, contextOf, owner } from '../../../testing/src/tested-context.js';
import { dispatchScan, queueScan, scanDecider } from '../domain/scan.js';
import { POLL, QueuedScan, scanId, TIMEOUT } from './advance-scan.fixtures.js';

let queued: QueuedScan;

beforeEach(async () => {
  queued = await QueuedScan.queue();
});

const unavailable = new DomainError('provider_unavailable');

describe('a queued scan', () => {
  it("is dispatched with the creator's handles, and its job is looked up later", async () => {
    expect(await queued.step()).toEqual({ retryAt: queued.began + POLL });
    const handles = [{ platform: 'onlyfans', username: 'MiaRose', variants: ['mimi', 'rosie'] }];
    expect(queued.service.engine.orders).toEqual([{ reference: scanId, agencyId: agency, userId: miaUser, handles }]);
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}`, handles });
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is dispatched with the submitted identity of the creator, although it is not written yet', async () => {
    const profiles = [{ platform: 'x', username: 'rosie', profileId: null }];
    const identity = { displayName: 'Mia', aliases: [], profiles };
    const personal = { externalId: 'ext-1', identity };
    await queued.service.creatorDid(mia, { type: 'creator.importLinked.v1', data: { epoch: 1, personal } });
    await queued.step();
    const [order] = queued.service.engine.orders;
    expect(order?.handles.map(({ platform, username }) => `${platform}/${username}`)).toEqual([
      'onlyfans/MiaRose',
      'x/rosie',
    ]);
  });

  it('keeps the correlation of the request that made it due, and names the event that did', async () => {
    const { cause } = claimed('scan', scanId);
    await queued.step();
    const [, ...steps] = await queued.service.log.readStream(streamName('scan', scanId));
    expect(steps.map(({ metadata }) => metadata)).toMatchObject(
      steps.map(() => ({ actor: 'process:scan', causationId: cause.id, correlationId: cause.correlationId })),
    );
    expect(steps).toHaveLength(2);
  });

  it('records that it will be dispatched before it is', async () => {
    const { engine } = queued.service;
    const dispatch = engine.dispatch.bind(engine);
    engine.dispatch = async (order) => {
      expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: null });
      return dispatch(order);
    };
    await queued.step();
  });

  it('is cancelled unsent where protection was paused', async () => {
    await queued.pause();
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused', jobId: null });
    expect(queued.service.engine.orders).toEqual([]);
  });

  it('is cancelled unsent where a pause came after it, by position in the log, though protection is active again (D79)', async () => {
    await queued.pause();
    await queued.service.creatorDid(mia, activationRequested, activated);
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(queued.service.engine.orders).toEqual([]);
  });

  it('is cancelled unsent where protection is paused while its agency is verified', async () => {
    const { directory } = queued.service;
    const getAgency = directory.getAgency.bind(directory);
    directory.getAgency = async (agencyId) => {
      await queued.pause();
      return getAgency(agencyId);
    };
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(queued.service.engine.orders).toEqual([]);
  });

  it('is dispatched if the pause came before it (D79)', async () => {
    await queued.service.creatorDid(mia, paused, activationRequested, activated);
    const later = derivedId('scan', 'later');
    const order = { scanId: later, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await queued.service.runner.run(scanDecider, later, contextOf(), (state) => queueScan(state, order));
    await queued.step(later);
    expect(queued.service.engine.orders.map(({ reference }) => reference)).toEqual([later]);
  });

  it('of a creator whose data was erased is cancelled with that reason (D72)', async () => {
    await queued.service.creatorDid(mia, paused, fact('personalDataErased', {}));
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
  });

  it('stays queued where this worker has no engine, and is dispatched when one has (D79)', async () => {
    queued.service.engine.configured = false;
    expect(await queued.step()).toEqual({ retryAt: queued.began + MINUTE });
    expect(await queued.history()).toEqual(['queued']);
    queued.service.engine.configured = true;
    await queued.step();
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is cancelled by a pause even without an engine', async () => {
    queued.service.engine.configured = false;
    await queued.pause();
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'cancelled' });
  });

  it('is sent only by the worker that recorded the intent first', async () => {
    const before = queued.service.creators.recorded;
    queued.service.creators.recorded = async (creatorId) => {
      queued.service.creators.recorded = before;
      await queued.service.runner.run(scanDecider, scanId, contextOf(), (state) => dispatchScan(state, []));
      return queued.service.creators.recorded(creatorId);
    };
    expect(await queued.step()).toBe('done');
    expect(queued.service.engine.orders).toEqual([]);
  });

  it.each([
    ['nothing_to_scan', 'nothing_to_scan'],
    ['bad_handles', 'engine_rejected'],
  ])('that is refused with %s has failed with %s', async (code, errorCode) => {
    queued.service.engine.failNext({ outcome: 'refused', code });
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'failed', errorCode, jobId: null });
  });

  it('whose job is done immediately is completed immediately', async () => {
    const { engine } = queued.service;
    const dispatch = engine.dispatch.bind(engine);
    engine.dispatch = async (order) => {
      await dispatch(order);
      queued.engineSays({ status: 'completed' });
      return dispatch(order);
    };
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'completed' });
  });

  it('is postponed for a denied agency, and makes no call; a pause cancels it then too (D19, D79)', async () => {
    queued.service.directory.put({
      id: agency,
      name: '',
      onboardingComplete: true,
      kycStatus: 'pending',
      ownerUserId: owner,
    });
    expect(await queued.step()).toEqual({ retryAt: queued.began + MINUTE });
    queued.service.directory.failure = new Error('down');
    expect(await queued.step()).toEqual({ retryAt: queued.began + 5 * SECOND });
    expect([queued.service.engine.orders, await queued.history()]).toEqual([[], ['queued']]);
    await queued.pause();
    expect(await queued.step()).toBe('done');
    expect(await queued.history()).toEqual(['queued', 'cancelled']);
  });
});

describe('a crash after the intent to dispatch', () => {
  beforeEach(async () => {
    const { engine } = queued.service;
    const dispatch = engine.dispatch;
    engine.dispatch = () => Promise.reject(new Error('the process is no more'));
    await expect(queued.step()).rejects.toThrow('no more');
    engine.dispatch = dispatch;
  });

  it('does not change while the call may still be running', async () => {
    queued.service.clock.advance(2 * TIMEOUT - 1);
    expect(await queued.step()).toEqual({ retryAt: queued.began + 2 * TIMEOUT });
    expect(queued.service.engine.lookups).toBe(0);
  });

  it('is settled by a lookup, then by the same order', async () => {
    queued.service.clock.advance(2 * TIMEOUT);
    await queued.step();
    expect(queued.service.engine.lookups).toBe(1);
    expect(queued.service.engine.orders).toHaveLength(1);
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'outcomeLost', 'accepted']);
  });
});

describe('an uncertain dispatch', () => {
  it('is reported as a failure, so that it is retried with growing waits', async () => {
    queued.service.engine.failNext({ outcome: 'lost', arrived: true });
    expect(await queued.failedStep()).toBe('provider_timeout');
    expect(await queued.state()).toMatchObject({ status: 'uncertain', jobId: null });
  });

  it('whose order had arrived is found by its reference, and not sent again', async () => {
    queued.service.engine.failNext({ outcome: 'lost', arrived: true });
    await queued.failedStep();
    // The call whose answer was lost may still be under way: the engine could not know of it yet.
    queued.service.clock.advance(2 * TIMEOUT - 1);
    expect(await queued.step()).toEqual({ retryAt: queued.began + 2 * TIMEOUT });
    expect(queued.service.engine.lookups).toBe(0);
    queued.service.clock.advance(1);
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + POLL });
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
    expect(queued.service.engine.orders).toHaveLength(1);
  });

  it('whose order had not arrived is sent again with the same key and body, in any state of the creator', async () => {
    await queued.inUncertainty();
    await queued.service.creatorDid(mia, identityObserved(native().identity));
    await queued.step();
    const [first, second] = queued.service.engine.orders;
    expect(second).toEqual(first);
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
  });

  it('is not sent again while the engine cannot be asked whether it has it', async () => {
    await queued.inUncertainty();
    queued.service.engine.failure = unavailable;
    expect(await queued.failedStep()).toBe('provider_unavailable');
    expect(queued.service.engine.orders).toHaveLength(1);
  });

  it('of a creator that was paused is cancelled after two lookups a timeout apart, and never sent again', async () => {
    await queued.inUncertainty();
    await queued.pause();
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + TIMEOUT });
    queued.service.clock.advance(TIMEOUT - 1);
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + TIMEOUT });
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    queued.service.clock.advance(1);
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(queued.service.engine.orders).toHaveLength(1);
  });

  it('of a creator that was paused is cancelled as soon, if the first lookup bears a time of tomorrow (D93)', async () => {
    const clocks = queued.service.get(ClockWatch);
    await queued.inUncertainty();
    await queued.pause();
    await clocks.check();
    queued.service.clock.jump(DAY);
    await queued.step();
    queued.service.clock.jump(-DAY);
    await clocks.check();
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    queued.service.clock.advance(TIMEOUT);
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
  });

  it('of a creator that was paused continues if the engine has the order', async () => {
    queued.service.engine.failNext({ outcome: 'lost', arrived: true });
    await queued.failedStep();
    await queued.pause();
    queued.service.clock.advance(2 * TIMEOUT);
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
  });

  it('of a creator that was paused and activated again counts its lookups from zero', async () => {
    await queued.inUncertainty();
    await queued.pause();
    await queued.step();
    await queued.service.creatorDid(mia, activationRequested, activated);
    queued.service.clock.advance(TIMEOUT);
    await queued.inUncertainty();
    await queued.pause();
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    queued.service.clock.advance(TIMEOUT);
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'cancelled' });
  });

  it('fails after 72 hours', async () => {
    await queued.inUncertainty();
    queued.service.clock.advance(72 * HOUR);
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown', jobId: null });
  });
});
