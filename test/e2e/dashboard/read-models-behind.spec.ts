import { afterEach, expect, test } from '@jest/globals';
import type { Creator, Scan } from '#client';
import { DASHBOARD_READ_MODELS, laneOfReadModels, READ_MODELS } from '#projections';
import { eventually } from '#testing';
import { bodyOf } from '../support/api-client.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { holdReadModels } from '../support/lag.js';
import { startService } from '../support/start-service.js';

const service = await startService({ provider: NO_PROVIDER });

/** The runners for which anything has waited since. */
const watchWaits = (): ReadonlySet<string> => {
  const { progress } = service.services;
  const waitedFor = new Set<string>();
  const noting =
    <Given extends unknown[], Result>(wait: (runners: readonly string[], ...given: Given) => Result) =>
    (runners: readonly string[], ...given: Given): Result => {
      for (const runner of runners) waitedFor.add(runner);
      return wait(runners, ...given);
    };
  progress.waitForPosition = noting(progress.waitForPosition.bind(progress));
  progress.waitForPositionBriefly = noting(progress.waitForPositionBriefly.bind(progress));
  return waitedFor;
};

const held: { goOn(): void }[] = [];
afterEach(() => {
  for (const one of held.splice(0)) one.goOn();
});

test('no answer to a write, and no read after it, waits for the read models of the dashboard', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const userId = await agency.user();
  await service.quiet();
  const checkpoint = () => service.services.documents.checkpoint(laneOfReadModels(DASHBOARD_READ_MODELS));
  const before = await checkpoint();
  const waitedFor = watchWaits();
  held.push(holdReadModels(service.services, DASHBOARD_READ_MODELS));
  const { api } = agency;

  const linked = bodyOf<Creator>(await api.enroll(agency.linkBody(userId)));
  const invited = bodyOf<Creator>(await api.enroll(agency.inviteBody()));
  expect((await api.roster()).map(({ id }) => id)).toEqual([linked.id]);
  expect(await api.creator(invited.id)).toMatchObject({ enrollment_status: 'invited' });
  bodyOf(await api.patch(linked.id, { display_name: 'Ivy Calloway' }));
  bodyOf(await api.protect(linked.id, 'active'));
  expect(await api.creator(linked.id)).toMatchObject({ display_name: 'Ivy Calloway', protection_status: 'active' });
  const scan = bodyOf<Scan>(await api.queueScan(linked.id, 'while the dashboard is behind'));
  expect(await api.scan(scan.id)).toMatchObject({ creator_id: linked.id });
  bodyOf(await api.protect(linked.id, 'paused'));
  await agency.leaks(userId, 1);
  expect(await api.cases(linked.id)).toHaveLength(1);
  expect(await api.got('/v1/usage')).toMatchObject({ active_creator_count: expect.any(Number) });
  const types = (await api.events()).map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['protection.activated', 'protection.paused', 'case.created']));
  bodyOf(await api.remove(invited.id));
  expect(await api.creator(invited.id)).toMatchObject({ enrollment_status: 'cancelled' });
  expect(await (await fetch(`${service.url}/health/ready`)).json()).toMatchObject({ status: 'ok' });

  expect(waitedFor).toContain(READ_MODELS);
  expect(waitedFor).not.toContain(DASHBOARD_READ_MODELS);
  expect(await checkpoint()).toEqual(before);
  expect(await member.got('/creators')).toMatchObject({ data: [] });
  held[0]?.goOn();
  await eventually(async () => {
    const { data } = await member.got<{ data: { id: string }[] }>('/creators');
    expect(data.map(({ id }) => id)).toContain(linked.id);
  });
});
