import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseDecider, caseIdOf, observeLeak, observeRemoval } from '#cases';
import { importCreator } from '#creators';
import { type CaseId, DomainError, derivedId, HOUR, type ScanId } from '#kernel';
import { FakeSearch } from '#testing';
import { agency, eveUser, mia, miaUser, native, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { type Stage, stage } from '../../../creators/src/platform.fixtures.js';
import { Deindexing } from './deindexing.js';

const FOUND = caseIdOf(workspaceId, mia, 'leak-1');
const OTHER = caseIdOf(workspaceId, mia, 'leak-2');
const requestId = derivedId('deindexRequest', agency, 'k1');
const unavailable = new DomainError('provider_unavailable');

let s: Stage;
let search: FakeSearch;
let deindexing: Deindexing;

const leakOf = (leakId: string) => ({
  leakId,
  url: `https://leaks.example/${leakId}`,
  status: 'Detected',
  statusCode: 'detected',
  actionable: true,
  deadOnArrival: false,
  createdAt: 1,
  updatedAt: 1,
  jobId: null,
});
const found = (leakId: string, scanId: ScanId | null = derivedId('scan', 'one')) => {
  const caseId = caseIdOf(workspaceId, mia, leakId);
  const observation = { caseId, creatorId: mia, workspaceId, leak: leakOf(leakId), scanId, askedAt: s.clock.time };
  return s.runner.run(caseDecider, caseId, s.context, (state) => observeLeak(state, observation));
};
const gone = async () => {
  s.clock.time += 1;
  await s.runner.run(caseDecider, FOUND, s.context, (state) => observeRemoval(state, s.clock.time));
};
const request = (caseId: CaseId = FOUND, key = 'k1', by = s.scope) => deindexing.request(caseId, by, key, s.context);
const current = (by = s.scope) => deindexing.current(requestId, by, s.context);
const progress = async () => deindexing.progress(await deindexing.find(requestId), s.context);

beforeEach(async () => {
  s = stage();
  search = new FakeSearch();
  deindexing = new Deindexing(s.runner, s.creators, search);
  s.platform.users.set(miaUser, native());
  const importing = { creatorId: mia, ...s.scope, externalId: `svc:${miaUser}` };
  await s.creators.decide(mia, s.context, (state) => importCreator(state, importing, native()));
  await found('leak-1');
  await found('leak-2');
  s.platform.calls.length = 0;
});

describe('requesting', () => {
  it('records what will be sent, and sends nothing', async () => {
    expect(await request()).toMatchObject({
      isNew: true,
      request: { requestId, caseId: FOUND, creatorId: mia, userId: miaUser, leakId: 'leak-1', status: 'queued' },
    });
    expect(search.orders).toEqual([]);
    expect(s.platform.calls).toEqual(['getCreator']);
  });

  it('D45: the same key is the same request, before every gate, and asks nobody', async () => {
    const first = await request();
    await gone();
    s.platform.failure = unavailable;
    search.configured = false;
    s.platform.calls.length = 0;
    expect(await request(FOUND, 'k1', { ...s.scope, epoch: 2 })).toEqual({ request: first.request, isNew: false });
    expect(s.platform.calls).toEqual([]);
  });

  it('D45: one key is for one case, also in a race; and at once it is one request', async () => {
    const race = await Promise.allSettled([request(FOUND), request(OTHER)]);
    expect(race.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(Promise.all([request(FOUND), request(OTHER)])).rejects.toMatchObject({ code: 'idempotency_conflict' });
    const both = await Promise.all([request(FOUND, 'k2'), request(FOUND, 'k2')]);
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  const gates: [string, string, () => unknown][] = [
    ['an available finding', 'not_found', gone],
    ['rebinding', 'creator_rebinding_required', () => undefined],
    [
      'eligibility',
      'creator_not_eligible',
      () => s.platform.users.set(miaUser, native({ entitlement: { active: false, source: null } })),
    ],
    ['provenance', 'native_case_managed_by_svc', () => undefined],
    [
      'a configured provider',
      'svc_engine_not_configured',
      () => {
        search.configured = false;
      },
    ],
  ];

  it.each(gates.map(([name], index) => [name, index] as const))(
    'D51: asks for %s before the rest',
    async (_, index) => {
      const isNative = index <= 3;
      const caseId = isNative ? caseIdOf(workspaceId, mia, 'native') : FOUND;
      if (isNative) await found('native', null);
      for (const [, , close] of gates.slice(Math.max(index, 1))) await close();
      if (index === 0) {
        s.clock.time += 1;
        await s.runner.run(caseDecider, caseId, s.context, (state) => observeRemoval(state, s.clock.time));
      }
      const by = index <= 1 ? { ...s.scope, epoch: 2 } : s.scope;
      await expect(request(caseId, 'k1', by)).rejects.toMatchObject({ code: gates[index]?.[1] });
      expect((await deindexing.find(requestId)).state.status).toBe('unknown');
    },
  );

  it('D9: cases of others and of creators that have left are not found', async () => {
    const elsewhere = { ...s.scope, workspaceId: derivedId('workspace', 'other') };
    await expect(request(FOUND, 'k1', elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(request(derivedId('case', 'none'))).rejects.toMatchObject({ code: 'not_found' });
    s.platform.users.delete(miaUser);
    await expect(request()).rejects.toMatchObject({ code: 'not_found' });
    s.platform.users.set(eveUser, native({ userId: eveUser }));
    await expect(request()).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('taking it a step on', () => {
  const order = { reference: requestId, agencyId: agency, userId: miaUser, leakId: 'leak-1' };

  it('hands it over under its id, as it was requested, and follows its record', async () => {
    await request();
    await progress();
    expect(search.orders).toEqual([{ ...order, url: 'https://leaks.example/leak-1' }]);
    search.progress(requestId, { status: 'submitted', submittedToProvider: true });
    expect(await progress()).toMatchObject({ status: 'submitted', submittedToProvider: true });
    expect(search.orders).toHaveLength(1);
  });

  it.each([true, false])(
    'D47: an outcome that nobody knows is looked up before it is sent again (%s)',
    async (arrived) => {
      await request();
      search.failNext({ outcome: 'lost', arrived });
      await expect(progress()).rejects.toMatchObject({ code: 'provider_timeout' });
      expect((await deindexing.find(requestId)).state).toMatchObject({
        status: 'uncertain',
        submittedToProvider: false,
      });
      expect(await progress()).toMatchObject({ status: 'queued' });
      expect([search.lookups, search.orders.length]).toEqual([1, arrived ? 1 : 2]);
    },
  );

  it('D47: a lookup that fails sends nothing, and the 72 hours run on', async () => {
    await request();
    search.failNext({ outcome: 'lost', arrived: true });
    await expect(progress()).rejects.toThrow();
    search.failure = unavailable;
    await expect(progress()).rejects.toBe(unavailable);
    s.clock.time += 72 * HOUR;
    await expect(progress()).rejects.toBe(unavailable);
    expect((await deindexing.find(requestId)).state).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
    expect(search.orders).toHaveLength(1);
  });

  it('that the provider can not be asked for a record it has is no doubt', async () => {
    await request();
    await progress();
    search.failure = unavailable;
    await expect(progress()).rejects.toBe(unavailable);
    expect((await deindexing.find(requestId)).state).toMatchObject({ status: 'queued' });
  });

  it('D47: a record that vanished is looked for, and not made anew', async () => {
    await request();
    await progress();
    search.lose(requestId);
    expect(await progress()).toMatchObject({ status: 'uncertain' });
    expect(await progress()).toMatchObject({ status: 'uncertain' });
    expect(search.orders).toHaveLength(1);
    s.clock.time += 72 * HOUR;
    expect(await progress()).toMatchObject({ status: 'failed', errorCode: 'outcome_unknown' });
  });

  it('D51: a refusal ends it', async () => {
    await request();
    search.failNext({ outcome: 'refused', code: 'not_deindexable' });
    expect(await progress()).toMatchObject({ status: 'rejected', errorCode: 'not_deindexable' });
    await progress();
    expect([search.orders.length, search.lookups]).toEqual([1, 0]);
  });

  it('without a provider intends nothing, and stays queued (D79)', async () => {
    await request();
    search.configured = false;
    await progress();
    expect((await deindexing.find(requestId)).state).toMatchObject({ status: 'queued', dispatchedAt: null });
  });
});

describe('reading it', () => {
  it('asks nobody while it waits, and once it is settled', async () => {
    await request();
    expect(await current()).toMatchObject({ status: 'queued' });
    await progress();
    search.progress(requestId, { status: 'removed', submittedToProvider: true, removalVerified: true });
    expect(await current()).toMatchObject({ status: 'completed', removalVerified: true });
    search.failure = unavailable;
    expect(await current()).toMatchObject({ status: 'completed' });
    expect(search.lookups).toBe(1);
  });

  it('D36: fails with the provider', async () => {
    await request();
    await progress();
    search.failure = unavailable;
    await expect(current()).rejects.toBe(unavailable);
  });

  it('takes a record that is not there yet for a call under way, and one that is there no more for lost', async () => {
    await request();
    search.failNext({ outcome: 'lost', arrived: false });
    await expect(progress()).rejects.toThrow();
    expect(await current()).toMatchObject({ status: 'uncertain' });
    await progress();
    search.lose(requestId);
    expect(await current()).toMatchObject({ status: 'uncertain' });
    expect(search.orders).toHaveLength(2);
  });

  it('D9: is not for others, nor of a creator that has left', async () => {
    await request();
    const elsewhere = { ...s.scope, workspaceId: derivedId('workspace', 'other') };
    await expect(current(elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    s.platform.users.delete(miaUser);
    await s.creators.recordMissing(mia, s.context);
    await expect(current()).rejects.toMatchObject({ code: 'not_found' });
  });
});
