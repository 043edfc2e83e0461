import { beforeEach, describe, expect, it } from '@jest/globals';
import { derivedId } from '#kernel';
import {
  eveUser,
  fact,
  invited,
  linked,
  mia,
  miaUser,
  workspaceId,
} from '../../../creators/src/domain/creator.fixtures.js';
import { contextOf, scope, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { impersonationIdOf } from '../domain/impersonation.js';
import { impersonationReportIdOf } from '../domain/impersonation-report.js';
import { ImpersonationsModule } from '../impersonations.module.js';
import { ImpersonationSynchronization } from './impersonation-synchronization.js';
import { ReportImpersonation } from './report-impersonation.js';

const URL_OF_FAKE = 'https://instagram.com/not_mia';
const KEY = 'key-1';
const reportId = impersonationReportIdOf(scope.agencyId, KEY);

let service: TestedContext;
beforeEach(async () => {
  service = await testedContext([ImpersonationsModule]);
  await service.creatorDid(mia, ...linked);
});

const report = (url = URL_OF_FAKE, key = KEY, creatorId = mia, epoch = 1) =>
  service.commands.execute(new ReportImpersonation(creatorId, url, { ...scope, epoch }, key, contextOf()));
const steps = () => service.typesOf(`impersonationReport-${reportId}`);

describe('a report of an impersonation', () => {
  it('records the intent, calls under the derived id, and records the outcome', async () => {
    const { impersonation, isNew } = await report();
    expect(service.impostors.reports).toEqual([{ reference: reportId, url: URL_OF_FAKE }]);
    expect(await steps()).toEqual(['impersonationReport.requested.v1', 'impersonationReport.made.v1']);
    expect([isNew, impersonation]).toEqual([
      true,
      expect.objectContaining({
        impersonationId: impersonationIdOf(workspaceId, mia, impersonation.nativeId),
        creatorId: mia,
        available: true,
        record: expect.objectContaining({ url: URL_OF_FAKE }),
      }),
    ]);
  });

  it('is replayed without a call, with the present state of the impersonation', async () => {
    const { impersonation } = await report();
    service.impostors.put(miaUser, { ...impersonation.record, nativeId: impersonation.nativeId, status: 'removed' });
    const creator = { creatorId: mia, agencyId: scope.agencyId, workspaceId, userId: miaUser };
    service.clock.advance(1);
    await service.get(ImpersonationSynchronization).walk(creator, contextOf());
    const repeat = await report();
    expect([repeat.isNew, repeat.impersonation.record.status]).toEqual([false, 'removed']);
    expect(service.impostors.reports).toHaveLength(1);
  });

  it('is 504 if the answer was lost, and the same call settles it', async () => {
    service.impostors.failNext('lost');
    await expect(report()).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(await steps()).toEqual(['impersonationReport.requested.v1', 'impersonationReport.outcomeLost.v1']);
    expect((await report()).isNew).toBe(true);
    expect(new Set(service.impostors.reports.map((sent) => JSON.stringify(sent))).size).toBe(1);
    expect((await report()).isNew).toBe(false);
  });

  it('opens nothing that a walk has opened during the call', async () => {
    service.impostors.failNext('lost');
    await expect(report()).rejects.toThrow('provider_timeout');
    const creator = { creatorId: mia, agencyId: scope.agencyId, workspaceId, userId: miaUser };
    await service.get(ImpersonationSynchronization).walk(creator, contextOf());
    const { impersonation } = await report();
    expect(await service.typesOf(`impersonation-${impersonation.impersonationId}`)).toEqual([
      'impersonation.opened.v1',
    ]);
  });

  it.each([
    [
      'unsupported_impersonation_url',
      { code: 'invalid_request', fields: [{ field: 'url', message: expect.any(String) }] },
    ],
    ['idempotency_conflict', { code: 'provider_invalid_response' }],
    ['any other failure', { code: 'provider_invalid_response' }],
  ])('that is refused with %s leaves the key free', async (code, refusal) => {
    service.impostors.failNext({ code });
    await expect(report()).rejects.toMatchObject(refusal);
    expect((await report('https://instagram.com/other')).isNew).toBe(true);
  });

  it('hides a creator that is no longer a member, and leaves the key free', async () => {
    service.impostors.leave(miaUser);
    await expect(report()).rejects.toMatchObject({ code: 'not_found' });
    expect((await service.creators.recorded(mia)).state).toMatchObject({ membership: { status: 'missing' } });
    expect(await steps()).toEqual(['impersonationReport.requested.v1', 'impersonationReport.refused.v1']);
  });

  it('is a conflict for other input under the same key, before any gate and without a call', async () => {
    await report();
    const eve = derivedId('creator', 'eve');
    const imported = fact('imported', {
      ...{ creatorId: eve, workspaceId, agencyId: scope.agencyId, epoch: 1, userId: eveUser },
      personal: { externalId: `svc:${eveUser}` },
    });
    await service.creatorDid(eve, imported);
    await expect(report('https://instagram.com/other')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await expect(report(URL_OF_FAKE, KEY, eve, 2)).rejects.toMatchObject({ code: 'idempotency_conflict' });
    expect(service.impostors.reports).toHaveLength(1);
  });

  it('D21: checks the binding first; a replay does not', async () => {
    await expect(report(URL_OF_FAKE, KEY, mia, 2)).rejects.toMatchObject({ code: 'creator_rebinding_required' });
    expect([service.impostors.reports, await steps()]).toEqual([[], []]);
    await report();
    expect((await report(URL_OF_FAKE, KEY, mia, 2)).isNew).toBe(false);
  });

  it('is not found for a creator of another workspace', async () => {
    const elsewhere = { ...scope, workspaceId: derivedId('workspace', 'other') };
    const asked = service.commands.execute(new ReportImpersonation(mia, URL_OF_FAKE, elsewhere, KEY, contextOf()));
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a report is refused for an invited creator, which has no user yet', async () => {
  service = await testedContext([ImpersonationsModule]);
  await service.creatorDid(mia, ...invited);
  await expect(report()).rejects.toMatchObject({ code: 'creator_invitation_pending' });
  expect([service.impostors.reports, await steps()]).toEqual([[], []]);
});
