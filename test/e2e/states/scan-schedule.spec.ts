import { expect, test } from '@jest/globals';
import type { Scan } from '#client';
import { HOUR, SECOND } from '#kernel';
import type { Agency } from '../support/agency.js';
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
