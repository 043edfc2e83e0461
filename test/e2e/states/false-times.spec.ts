import { expect, test } from '@jest/globals';
import { DAY, type Duration, MINUTE } from '#kernel';
import { bodyOf } from '../support/api-client.js';
import { findingsIn, requestDeindex } from '../support/findings.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

// Of scans only those that are asked for: in a year the next one would fall due.
const service = await startService({ platformHangs: true, env: { SCAN_SCHEDULE_EVERY: '1000d' } });
const { platform } = service;

/** The clock is ahead by a year while this happens. */
const inAYear = async <T>(task: () => Promise<T>): Promise<T> => {
  service.clock.jump(365 * DAY);
  await service.services.clockWatch.check();
  try {
    return await task();
  } finally {
    service.clock.jump(-365 * DAY);
    await service.services.clockWatch.check();
  }
};

/** As its timer does each second in a process. */
const passes = async (time: Duration): Promise<void> => {
  await service.pass(time);
  await service.services.clockWatch.check();
};

test('a scan whose dispatch was lost while the clock was ahead completes soon after (D47, D93)', async () => {
  const agency = await service.agency();
  const { id: creatorId } = await agency.active();
  await platform.fault({ operation: 'dispatchScan', kind: 'close_after' });
  const id = await inAYear(async () => {
    const scan = await agency.scan(creatorId);
    await agency.scanThatIs('uncertain', scan.id);
    return scan.id;
  });
  await platform.heal();
  const statusAfter = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) await passes(MINUTE);
    return (await agency.api.scan(id)).status;
  };
  // It is looked up and found; no wait between two tries is longer than five minutes.
  expect(await statusAfter(6)).toBe('dispatching');
  await platform.changeJob(id, { status: 'completed' });
  expect(await statusAfter(1)).toBe('completed');
  expect(await platform.jobsFor(id)).toBe(1);
});

test('a deindex request whose submission was lost while the clock was ahead is followed soon after (D51, D93)', async () => {
  const finding = await findingsIn(service);
  const { api } = finding.agency;
  await platform.fault({ operation: 'submitDeindex', kind: 'close_after' });
  const { id } = await inAYear(async () => {
    const request = await requestDeindex(finding);
    await service.quiet();
    return request;
  });
  expect((await api.deindexRequest(id)).submitted_to_provider).toBe(false);
  await platform.heal();
  for (let minute = 0; minute < 6; minute++) await passes(MINUTE);
  await platform.control('PATCH', `/deindex-submissions/${id}`, { status: 'removed' });
  expect(await api.deindexRequest(id)).toMatchObject({ status: 'completed', removal_verified: true });
  expect((await platform.effects()).submissions[id]).toBe(1);
});

test('an invitation whose outcome was lost while the clock was ahead is settled soon after (D28, D93)', async () => {
  const agency = await service.agency();
  await platform.fault({ operation: 'invite', kind: 'close_after' });
  const { id } = await inAYear(async () => bodyOf<Creator>(await agency.api.enroll(agency.inviteBody())));
  await platform.heal();
  for (let minute = 0; minute < 6; minute++) await passes(MINUTE);
  const { enrollment_status } = await agency.api.creator(id);
  expect(enrollment_status).toBe('invited');
});

test('an activation that was lost while the clock was ahead is abandoned soon after, and can be repeated (D42, D93)', async () => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  await platform.fault({ operation: 'occupySlot', kind: 'close_after' });
  await inAYear(async () => expect((await agency.api.protect(id, 'active')).status).toBeGreaterThan(500));
  await platform.heal();
  expect((await agency.change({})).occupied_slots).toBe(1);
  for (let minute = 0; minute < 6; minute++) await passes(MINUTE);
  expect((await agency.change({})).occupied_slots).toBe(0);
  expect((await agency.api.protect(id, 'active')).outcome).toBe('200');
});

test('a creator that was missed while the clock was ahead has left after the next synchronization (D43, D93)', async () => {
  const agency = await service.agency();
  const userId = await agency.user();
  const { id } = bodyOf<Creator>(await agency.api.enroll(agency.linkBody(userId)));
  bodyOf(await agency.api.protect(id, 'active'));
  await agency.changeUser(userId, { agency_id: null });
  await inAYear(async () => expect((await agency.api.get(`/v1/creators/${id}`)).status).toBe(404));
  for (let minute = 0; minute < 12; minute++) await passes(MINUTE);
  await agency.changeUser(userId, { agency_id: agency.id });
  expect(await agency.api.creator(id)).toMatchObject({ protection_status: 'paused' });
});

test('a finding and an impersonation that were recorded while the clock was ahead are removed by the next walk (D50, D54, D93)', async () => {
  const agency = await service.agency();
  const { api } = agency;
  const userId = await agency.user();
  const { id } = bodyOf<Creator>(await api.enroll(agency.linkBody(userId)));
  const [leakId] = await agency.leaks(userId, 1);
  const [impersonationId] = await agency.impersonations(userId, 1);
  await inAYear(async () => {
    expect(await api.cases(id)).toMatchObject([{ available: true }]);
    expect(await api.impersonations(id)).toMatchObject([{ available: true }]);
  });
  await platform.control('DELETE', `/leaks/${leakId}`);
  await platform.control('DELETE', `/impersonations/${impersonationId}`);
  for (let minute = 0; minute < 31; minute++) await passes(MINUTE);
  expect(await api.cases(id)).toMatchObject([{ available: false }]);
  expect(await api.impersonations(id)).toMatchObject([{ available: false }]);
});
