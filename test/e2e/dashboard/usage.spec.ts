import { expect, test } from '@jest/globals';
import { DAY, HOUR } from '#kernel';
import { eventually } from '#testing';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

const service = await startService({
  env: { PRICE_PER_CREATOR_MONTH_CENTS: '3100', MINIMUM_MONTHLY_CENTS: '500' },
  provider: NO_PROVIDER,
});

interface Month {
  readonly month: string;
  readonly measured_through: string;
  readonly totals: Readonly<Record<string, unknown>>;
  readonly days: readonly { readonly date: string; readonly active: number; readonly share_cents: string }[];
  readonly is_behind: boolean;
  readonly as_of_event_id: string;
}
interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

const sum = (rows: readonly { readonly active: number }[]) => rows.reduce((total, { active }) => total + active, 0);

/** To the first day of the next month, at noon. */
const nextMonth = () => {
  const now = new Date(service.clock.now());
  service.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12) - now.getTime());
};

test('the month that the page shows is that of GET /v1/usage, and its days and creators add up to it (D44)', async () => {
  nextMonth();
  const agency = await service.agency();
  const [one, two] = [await agency.active(), await agency.active()];
  service.clock.advance(2 * DAY);
  await agency.api.protect(one.id, 'paused');
  service.clock.advance(5 * HOUR);
  const member = await DashboardPage.ofMember(service, agency);
  const usage = await agency.api.got<Month['totals']>('/v1/usage');
  const month = await eventually(async () => {
    const shown = await member.got<Month>('/usage');
    expect(shown.is_behind).toBe(false);
    return shown;
  });
  expect(month.totals).toEqual(expect.objectContaining({ creator_seconds: usage.creator_seconds }));
  expect(month.totals.estimated_total_cents).toBe(usage.estimated_total_cents);
  expect(month.measured_through).toBe(usage.measured_through);
  expect(sum(month.days)).toBe(4 * DAY + 5 * HOUR);
  expect(month.as_of_event_id).toEqual(expect.any(String));

  type Row = { readonly creator_id: string; readonly active: number; readonly display_name: string };
  const first = await member.got<Page<Row>>('/usage/creators?limit=1');
  const second = await member.got<Page<Row>>(`/usage/creators?limit=1&after=${first.next_cursor}`);
  const rows = [...first.data, ...second.data];
  expect(rows.map(({ creator_id }) => creator_id)).toEqual([one.id, two.id].toSorted());
  expect(rows.find(({ creator_id }) => creator_id === one.id)).toMatchObject({
    active: 2 * DAY,
    display_name: one.display_name,
    external_id: one.external_id,
  });
  expect([sum(rows), second.next_cursor]).toEqual([4 * DAY + 5 * HOUR, null]);

  const file = Buffer.from(await (await member.fetch('GET', '/usage/file')).arrayBuffer());
  const records = file.toString().trim().split('\r\n').slice(1);
  expect([...file.subarray(0, 3), records.length]).toEqual([0xef, 0xbb, 0xbf, 2]);

  type Interval = Readonly<Record<'opened_by' | 'closed_by', { readonly event_id: string }>>;
  const { data } = await member.got<Page<Interval>>(`/usage/creators/${one.id}`);
  const cells =
    records
      .find((record) => record.includes(one.id))
      ?.slice(1, -1)
      .split('","') ?? [];
  expect([cells.slice(0, 3), cells[5], cells.slice(7)]).toEqual([
    [one.id, one.display_name, one.external_id],
    `${2 * DAY}`,
    ['EUR', data[0]?.opened_by.event_id, data[0]?.closed_by.event_id],
  ]);
  expect(data).toEqual([
    expect.objectContaining({
      active: 2 * DAY,
      opened_by: expect.objectContaining({ actor: `key:${agency.keyId}`, reason: 'api_request' }),
      closed_by: expect.objectContaining({ actor: `key:${agency.keyId}` }),
    }),
  ]);
});

test("another agency's creator is not found, so that nothing shows its name (D9)", async () => {
  const { id } = await (await service.agency()).active();
  const member = await DashboardPage.ofMember(service, await service.agency());
  const answer = await member.fetch('GET', `/usage/creators/${id}`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).not.toHaveProperty('display_name');
});

test('a month that has not begun is refused, and so is one that is no month', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  for (const month of ['2999-01', '2026-13', 'x']) {
    expect((await member.fetch('GET', `/usage?month=${month}`)).status).toBe(400);
  }
});

test('no statement is made of a month in the future, which a worker would try in vain', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const asked = await member.fetch('POST', '/usage/statements', { month: '9999-12' });
  expect(asked.status).toBe(400);
  expect(await asked.json()).toMatchObject({ error: { details: [{ field: 'month' }] } });
});

test('D110: the statement of an agency that is not bound is refused in the request', async () => {
  const member = await DashboardPage.of(service, { agencies: ['agency_unbound'] });
  const asked = await member.fetch('POST', '/usage/statements', { month: '2026-10' });
  expect([asked.status, (await member.got<Page<object>>('/usage/statements')).data]).toEqual([404, []]);
});

test('a signed statement is made by the worker, and can be fetched for 24 hours by its agency alone', async () => {
  const agency = await service.agency();
  const [member, stranger] = [
    await DashboardPage.ofMember(service, agency),
    await DashboardPage.ofMember(service, await service.agency()),
  ];
  await agency.active();
  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const asked = await member.fetch('POST', '/usage/statements', { month });
  expect([asked.status, await asked.json()]).toMatchObject([202, { month, state: 'pending' }]);
  await eventually(async () => {
    const { data } = await member.got<Page<object>>('/usage/statements');
    expect(data).toMatchObject([{ month, state: 'made', share: 1 }]);
  });
  const file = await member.fetch('GET', `/usage/statements/${month}/file`);
  expect(file.headers.get('content-disposition')).toContain(`usage-statement-${month}.json`);
  expect(await file.json()).toMatchObject({
    statement: { kind: 'usage_statement', explanation: { agency_id: agency.id } },
  });
  expect((await stranger.fetch('GET', `/usage/statements/${month}/file`)).status).toBe(404);
  service.clock.advance(DAY);
  const later = await DashboardPage.ofMember(service, agency);
  expect((await later.fetch('GET', `/usage/statements/${month}/file`)).status).toBe(404);
  expect((await later.got<Page<object>>('/usage/statements')).data).toEqual([]);
});
