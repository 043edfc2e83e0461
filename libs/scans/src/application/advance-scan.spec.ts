import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClockWatch, DAY, DomainError, derivedId, MINUTE, SECOND, streamName } from '#kernel';
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
import { AdvanceScan } from './advance-scan.js';

let queued: QueuedScan;

beforeEach(async () => {
  queued = await QueuedScan.queue();
});

describe('a queued scan', () => {
  it("is dispatched with the creator's handles, and its job is looked up later", async () => {
    expect(await queued.step()).toEqual({ retryAt: queued.began + POLL });
    const handles = [{ platform: 'onlyfans', username: 'MiaRose', variants: ['mimi', 'rosie'] }];
    expect(queued.service.engine.calls).toEqual([{ reference: scanId, agencyId: agency, userId: miaUser, handles }]);
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}`, handles });
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is dispatched with the submitted identity of the creator, although it is not written yet', async () => {
    const profiles = [{ platform: 'x', username: 'rosie', profileId: null }];
    const identity = { displayName: 'Mia', aliases: [], profiles };
    const personal = { externalId: 'ext-1', identity };
    await queued.service.creatorDid(mia, { type: 'creator.importLinked.v1', data: { epoch: 1, personal } });
    await queued.step();
    const [order] = queued.service.engine.calls;
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

  it('stays queued where this worker has no engine, and is dispatched when one has (D79)', async () => {
    queued.service.engine.configured = false;
    expect(await queued.step()).toEqual({ retryAt: queued.began + MINUTE });
    expect(await queued.history()).toEqual(['queued']);
    queued.service.engine.configured = true;
    await queued.step();
    expect(await queued.history()).toEqual(['queued', 'dispatchStarted', 'accepted']);
  });

  it('is sent only by the worker that recorded the intent first (D47)', async () => {
    const { creators, runner } = queued.service;
    const recorded = creators.recorded.bind(creators);
    creators.recorded = async (creatorId) => {
      creators.recorded = recorded;
      await runner.run(scanDecider, scanId, contextOf(), (state) => dispatchScan(state, []));
      return recorded(creatorId);
    };
    expect(await queued.step()).toBe('done');
    expect(queued.service.engine.calls).toEqual([]);
  });

  it('is cancelled unsent where protection was paused', async () => {
    await queued.pause();
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused', jobId: null });
    expect(queued.service.engine.calls).toEqual([]);
  });

  it('is cancelled unsent where a pause came after it, by position in the log, though protection is active again (D79)', async () => {
    await queued.pause();
    await queued.service.creatorDid(mia, activationRequested, activated);
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'protection_paused' });
    expect(queued.service.engine.calls).toEqual([]);
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
    expect(queued.service.engine.calls).toEqual([]);
  });

  it('is dispatched if the pause came before it (D79)', async () => {
    await queued.service.creatorDid(mia, paused, activationRequested, activated);
    const later = derivedId('scan', 'later');
    const order = { scanId: later, creatorId: mia, agencyId: agency, workspaceId, source: 'manual' as const };
    await queued.service.runner.run(scanDecider, later, contextOf(), (state) => queueScan(state, order));
    await queued.step(later);
    expect(queued.service.engine.calls.map(({ reference }) => reference)).toEqual([later]);
  });

  it('of a creator whose data was erased is cancelled with that reason (D72)', async () => {
    await queued.service.creatorDid(mia, paused, fact('personalDataErased', {}));
    expect(await queued.step()).toBe('done');
    expect(await queued.state()).toMatchObject({ status: 'cancelled', errorCode: 'personal_data_erased' });
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
    expect([queued.service.engine.calls, await queued.history()]).toEqual([[], ['queued']]);
    await queued.pause();
    expect(await queued.step()).toBe('done');
    expect(await queued.history()).toEqual(['queued', 'cancelled']);
  });
});

describe('an uncertain dispatch', () => {
  it('whose call had not arrived is sent again with the same key and body, in any state of the creator (D47)', async () => {
    await queued.inUncertainty();
    await queued.service.creatorDid(
      mia,
      identityObserved({ ...native().identity, aliases: ['other'] }, native().identity),
    );
    await queued.step();
    const [first, second] = queued.service.engine.calls;
    expect(second).toEqual(first);
    expect(await queued.state()).toMatchObject({ status: 'dispatching', jobId: `job-${scanId}` });
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
    expect(queued.service.engine.calls).toHaveLength(1);
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
});

const unavailable = new DomainError('provider_unavailable');

describe('a scan that was sent and whose task is set aside (D87)', () => {
  it('is uncertain, and fails after 72 hours that no clock which is ahead shortens (D93)', async () => {
    const { clock, commands } = queued.service;
    const end = () => commands.execute(new AdvanceScan(scanId, contextOf(), true));
    const clocks = queued.service.get(ClockWatch);
    await queued.step();
    expect(await end()).toBe('done');
    const uncertainSince = clock.now();
    await clocks.check();
    clock.jump(4 * DAY);
    await clocks.check();
    await end();
    clock.jump(-4 * DAY);
    await clocks.check();
    expect(await end()).toEqual({ retryAt: uncertainSince + 3 * DAY });
    expect(await queued.state()).toMatchObject({ status: 'uncertain' });
    clock.advance(3 * DAY);
    await end();
    expect(await queued.state()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
  });
});

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

  it('that has vanished is uncertain, and is asked for by its reference: it may have another id (D47)', async () => {
    queued.service.engine.lose(scanId);
    expect(await queued.step()).toEqual({ retryAt: queued.began + 2 * POLL });
    expect(await queued.state()).toMatchObject({ status: 'uncertain', jobId: `job-${scanId}` });
    expect(await queued.step()).toEqual({ retryAt: queued.service.clock.now() + POLL });
    queued.service.engine.restore(scanId, 'job-2');
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'running', jobId: 'job-2' });
    expect(queued.service.engine.calls).toHaveLength(1);
  });

  it('continues when protection is paused while it runs', async () => {
    await queued.pause();
    queued.engineSays({ status: 'running' });
    await queued.step();
    expect(await queued.state()).toMatchObject({ status: 'running' });
  });
});

describe('an uncertain dispatch', () => {
  it('whose call has not arrived is sent again if the creator is active again after a pause', async () => {
    await queued.inUncertainty();
    await queued.pause();
    await queued.service.creatorDid(mia, activationRequested, activated);
    await queued.step();
    expect(queued.service.engine.calls).toHaveLength(2);
  });
});
