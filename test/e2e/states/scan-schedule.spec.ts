import { expect, test } from '@jest/globals';
import { HOUR, MINUTE, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
import type { Scan } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const EVERY = HOUR;
const service = await startService({ env: { SCAN_SCHEDULE_EVERY: '1h' } });

/** The scans of the agency's creators that have ended, as the feed shows them. */
const ended = async (agency: Agency): Promise<Scan[]> => {
  const events = (await agency.publishedEvents()).filter(({ type }) => type.startsWith('scan.'));
  return Promise.all(events.map(({ data }) => agency.api.scan(data.scan_id ?? '')));
};

/** Lets time pass to the moment, and then all that was begun finish. */
const passTo = async (moment: number) => {
  await service.pass(moment - service.clock.now());
};
const finish = async () => {
  for (let step = 0; step < 8; step++) await service.pass(SECOND);
};

test('the first scheduled scan falls due one full interval after activation, later ones an interval apart (D49)', async () => {
  const agency = await service.agency();
  await agency.active();
  const since = service.clock.now();
  await passTo(since + EVERY - 1);
  expect(await ended(agency)).toEqual([]);
  for (const nth of [1, 2, 3]) {
    await passTo(since + nth * EVERY);
    await finish();
    const scans = await ended(agency);
    expect(scans).toHaveLength(nth);
    expect(scans.at(-1)).toMatchObject({ source: 'scheduled', created_at: since + nth * EVERY, status: 'completed' });
  }
});

test('a scheduled scan counts as pending, and not among the five manual ones (D46)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await service.pass(EVERY);
  expect((await agency.api.queueScan(id, 'k')).outcome).toBe('409 scan_in_progress');
  await finish();
  for (let count = 0; count < 5; count++) await agency.scanThatIs('completed', (await agency.scan(id)).id);
  expect((await agency.api.queueScan(id, 'sixth')).outcome).toBe('429 scan_limit_reached');
});

test('it is skipped while a scan is pending (D49)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  const since = service.clock.now();
  await passTo(since + EVERY - SECOND);
  const manual = await agency.scan(id);
  await passTo(since + EVERY);
  await finish();
  expect((await ended(agency)).map((scan) => scan.id)).toEqual([manual.id]);
  await passTo(since + 2 * EVERY);
  await finish();
  expect((await ended(agency)).map(({ source }) => source)).toEqual(['manual', 'scheduled']);
});

test('it is skipped while the creator is not eligible, and is due again at the next time (D43, D49)', async () => {
  const agency = await service.agency();
  const { userId } = await agency.active();
  const since = service.clock.now();
  await agency.changeUser(userId, { authorization: 'rejected' });
  await passTo(since + EVERY);
  await finish();
  expect(await ended(agency)).toEqual([]);
  await agency.changeUser(userId, { authorization: 'approved' });
  await passTo(since + 2 * EVERY - 1);
  expect(await ended(agency)).toEqual([]);
  await passTo(since + 2 * EVERY);
  await finish();
  expect(await ended(agency)).toMatchObject([{ created_at: since + 2 * EVERY }]);
});

test('pausing stops the schedule; activating again begins a new one (D49)', async () => {
  const agency = await service.agency();
  const { id } = await agency.active();
  await service.pass(30 * MINUTE);
  await agency.api.protect(id, 'paused');
  await service.pass(2 * EVERY);
  expect(await ended(agency)).toEqual([]);
  await agency.api.protect(id, 'active');
  const since = service.clock.now();
  await passTo(since + EVERY - 1);
  expect(await ended(agency)).toEqual([]);
  await passTo(since + EVERY);
  await finish();
  expect(await ended(agency)).toMatchObject([{ created_at: since + EVERY }]);
});

test('creators that were never activated are not scanned', async () => {
  const agency = await service.agency();
  await agency.linked();
  await service.pass(3 * EVERY);
  await finish();
  expect(await ended(agency)).toEqual([]);
});

test('while the agency is denied its schedule is postponed, and then goes on (D19)', async () => {
  const agency = await service.agency();
  await agency.active();
  const since = service.clock.now();
  await agency.change({ kyc_status: 'pending' });
  await passTo(since + EVERY);
  await finish();
  await agency.change({ kyc_status: 'approved' });
  expect(await ended(agency)).toEqual([]);
  await service.pass(MINUTE);
  await finish();
  expect(await ended(agency)).toMatchObject([{ source: 'scheduled' }]);
});

test('a service that was down over several due times makes one scan for them', async () => {
  const agency = await service.agency();
  await agency.active();
  const since = service.clock.now();
  await service.restart({}, async () => service.clock.advance(3 * EVERY + MINUTE));
  await service.quiet();
  await finish();
  expect(await ended(agency)).toHaveLength(1);
  await passTo(since + 4 * EVERY);
  await finish();
  expect(await ended(agency)).toHaveLength(2);
});
