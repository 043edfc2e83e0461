import { expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '#kernel';
import { eventually } from '#testing';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

interface LeftOut {
  readonly count: number;
  readonly data: readonly { readonly kind: string; readonly creator_id: string | null; readonly id: string | null }[];
}

const service = await startService({ provider: NO_PROVIDER });

it('records that the platform has to mend are shown with their reason, until it has', async () => {
  const agency = await service.agency();
  const creator = await agency.active();
  const leaks = `/creators/${creator.userId}/leaks`;
  await service.platform.control('POST', leaks, { leak_id: 'leak_bad', status: 'x'.repeat(201) });
  await service.platform.control('POST', leaks, { leak_id: 'leak_good' });
  await service.pass(10 * MINUTE);
  const member = await DashboardPage.ofMember(service, agency);
  const bad = {
    kind: 'leak',
    creator_id: creator.id,
    id: 'leak_bad',
    reason: 'status is not a text of 1 to 200 characters',
    remedy: 'The platform has to correct the leak: status is not a text of 1 to 200 characters.',
  };
  await eventually(async () => expect(await member.got('/left-out')).toMatchObject({ count: 1, data: [bad] }));
  expect(await member.got(`/left-out?creator=${creator.id}`)).toMatchObject({ data: [bad] });
  expect(await member.got('/overview')).toMatchObject({
    warnings: [{ kind: 'records_left_out', message: expect.stringMatching(/^1 record /) }],
  });
  const stranger = await DashboardPage.ofMember(service, await service.agency());
  expect(await stranger.got<LeftOut>(`/left-out?creator=${creator.id}`)).toEqual({ data: [], count: 0 });

  await service.platform.control('PATCH', '/leaks/leak_bad', { status: 'found' });
  await service.pass(HOUR);
  const later = await DashboardPage.ofMember(service, agency);
  await eventually(async () => expect(await later.got('/left-out')).toEqual({ data: [], count: 0 }));
});
