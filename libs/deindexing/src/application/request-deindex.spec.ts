import { beforeEach, describe, expect, it } from '@jest/globals';
import { caseDecider, caseIdOf, observeLeak, observeRemoval } from '#cases';
import { importCreator } from '#creators';
import { type CaseId, DomainError, derivedId, type ScanId } from '#kernel';
import type { FakeSearch } from '#testing';
import { CreatorRepository } from '../../../creators/src/application/access/creator.repository.js';
import { agency, eveUser, mia, miaUser, native, workspaceId } from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { DeindexingModule } from '../deindexing.module.js';
import { DeindexRequestRepository } from './deindex-request.repository.js';
import { RequestDeindex } from './request-deindex.js';

const FOUND = caseIdOf(workspaceId, mia, 'leak-1');
const OTHER = caseIdOf(workspaceId, mia, 'leak-2');
const requestId = derivedId('deindexRequest', agency, 'k1');
const unavailable = new DomainError('provider_unavailable');

let s: TestedContext;
let search: FakeSearch;
let requests: DeindexRequestRepository;

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
  const reading = { began: s.clock.now(), now: s.clock.now() };
  const observation = { caseId, creatorId: mia, workspaceId, leak: leakOf(leakId), scanId, reading };
  return s.runner.run(caseDecider, caseId, contextOf(), (state) => observeLeak(state, observation));
};
const gone = async () => {
  s.clock.advance(1);
  await s.runner.run(caseDecider, FOUND, contextOf(), (state) =>
    observeRemoval(state, { began: s.clock.now(), now: s.clock.now() }),
  );
};
const request = (caseId: CaseId = FOUND, key = 'k1', by = scope) =>
  s.commands.execute(new RequestDeindex(caseId, by, key, contextOf()));

beforeEach(async () => {
  s = await testedContext([DeindexingModule]);
  ({ search } = s);
  requests = s.get(DeindexRequestRepository);
  s.platform.users.set(miaUser, native());
  const importing = { creatorId: mia, ...scope, externalId: `svc:${miaUser}` };
  await s.get(CreatorRepository).update(mia, contextOf(), (state) => importCreator(state, importing, native()));
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
    expect(search.calls).toEqual([]);
    expect(s.platform.calls).toEqual(['getCreator']);
  });

  it('D45: the same key is the same request, before every gate and without a call', async () => {
    const first = await request();
    await gone();
    s.platform.failure = unavailable;
    search.configured = false;
    s.platform.calls.length = 0;
    expect(await request(FOUND, 'k1', { ...scope, epoch: 2 })).toEqual({ request: first.request, isNew: false });
    expect(s.platform.calls).toEqual([]);
  });

  it('D45: one key is for one case, also in a race; concurrent repeats are one request', async () => {
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
        s.clock.advance(1);
        await s.runner.run(caseDecider, caseId, contextOf(), (state) =>
          observeRemoval(state, { began: s.clock.now(), now: s.clock.now() }),
        );
      }
      const by = index <= 1 ? { ...scope, epoch: 2 } : scope;
      await expect(request(caseId, 'k1', by)).rejects.toMatchObject({ code: gates[index]?.[1] });
      expect((await requests.load(requestId)).state.status).toBe('unknown');
    },
  );

  it('D9: cases of others and of creators that have left are not found', async () => {
    const elsewhere = { ...scope, workspaceId: derivedId('workspace', 'other') };
    await expect(request(FOUND, 'k1', elsewhere)).rejects.toMatchObject({ code: 'not_found' });
    await expect(request(derivedId('case', 'none'))).rejects.toMatchObject({ code: 'not_found' });
    s.platform.users.delete(miaUser);
    await expect(request()).rejects.toMatchObject({ code: 'not_found' });
    s.platform.users.set(eveUser, native({ userId: eveUser }));
    await expect(request()).rejects.toMatchObject({ code: 'not_found' });
  });
});
