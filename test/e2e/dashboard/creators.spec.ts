import { expect, test } from '@jest/globals';
import type { Creator } from '#client';
import { newId } from '#kernel';
import { eventually } from '#testing';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: NO_PROVIDER });

interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}
interface Found {
  readonly data: readonly { readonly kind: string; readonly name: string; readonly path: string }[];
}
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

const idsOf = ({ data }: Page<Row>) => data.map(({ id }) => id);

test('creators and invitees are listed with their names, by status, and page by page', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const [linked, active, invited] = [await agency.linked(), await agency.active(), await agency.invited()];
  const all = await eventually(async () => {
    const page = await member.got<Page<Row>>('/creators');
    expect(page.data).toHaveLength(3);
    return page;
  });
  const orderOf = ({ id, display_name }: Pick<Creator, 'id' | 'display_name'>) =>
    `${display_name.toLowerCase()}\t${id}`;
  const byName = [linked, active, invited].toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  expect(idsOf(all)).toEqual(byName.map(({ id }) => id));
  expect((await member.fetch('GET', `/creators?after=${newId('creator')}`)).status).toBe(400);
  expect(all.data.find(({ id }) => id === invited.id)).toMatchObject({
    display_name: invited.display_name,
    external_id: invited.external_id,
    enrollment_status: 'invited',
    protection_status: 'not_activated',
  });
  await eventually(async () => {
    expect(idsOf(await member.got('/creators?protection_status=active'))).toEqual([active.id]);
  });
  expect(idsOf(await member.got('/creators?enrollment_status=invited'))).toEqual([invited.id]);
  expect(idsOf(await member.got('/creators?enrollment_status=linked&protection_status=not_activated'))).toEqual([
    linked.id,
  ]);
  const first = await member.got<Page<Row>>('/creators?limit=2');
  const second = await member.got<Page<Row>>(`/creators?limit=2&after=${first.next_cursor}`);
  expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(all));
  expect((await member.fetch('GET', '/creators?protection_status=on')).status).toBe(400);
});

test('one creator has a timeline, intervals, scans and cases; another agency sees none of it', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const stranger = await DashboardPage.ofMember(service, await service.agency());
  const creator = await agency.active();
  await agency.leaks(creator.svc_user_id ?? '', 3);
  await agency.api.got(`/v1/creators/${creator.id}/cases`);
  const scan = await agency.scan(creator.id);
  await agency.api.protect(creator.id, 'paused');

  expect(await member.got(`/creators/${creator.id}`)).toMatchObject({
    display_name: creator.display_name,
    protection_status: 'paused',
    cases: [{ count: 3 }],
    has_more_cases: false,
  });
  const timeline = await member.got<Page<Row & { readonly type: string }>>(`/creators/${creator.id}/timeline?limit=2`);
  expect(timeline.data).toHaveLength(2);
  const rest = await member.got<Page<Row & { readonly type: string }>>(
    `/creators/${creator.id}/timeline?limit=100&after=${timeline.next_cursor}`,
  );
  const types = [...timeline.data, ...rest.data].map(({ type }) => type);
  expect([types.includes('creator.protectionPaused.v1'), types.at(-1), rest.next_cursor]).toEqual([
    true,
    'creator.enrolledByLink.v1',
    null,
  ]);
  const { data: intervals } = await member.got<Page<Row>>(`/creators/${creator.id}/intervals`);
  const byKey = { actor: `key:${agency.keyId}`, reason: 'api_request', request_id: expect.any(String) };
  expect(intervals).toMatchObject([{ opened_by: byKey, closed_by: byKey }]);
  await eventually(async () => {
    expect(idsOf(await member.got(`/creators/${creator.id}/scans`))).toEqual([scan.id]);
  });
  const file = await member.fetch('GET', `/creators/${creator.id}/cases/file`);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(bytes.toString().trim().split('\r\n')).toHaveLength(4);

  for (const path of ['', '/timeline', '/intervals', '/scans', '/deindex-requests', '/cases/file']) {
    expect((await stranger.fetch('GET', `/creators/${creator.id}${path}`)).status).toBe(404);
  }
  expect(await stranger.got('/creators')).toMatchObject({ data: [], next_cursor: null, is_cut_off: false });
});

test('D9: creators are found by the beginnings of the words of their names, by their own agency alone', async () => {
  const agency = await service.agency();
  const other = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const stranger = await DashboardPage.ofMember(service, other);
  const enrolled = async (by: Agency, display_name: string, aliases: readonly string[] = []) => {
    const userId = await by.user({ display_name, aliases });
    const { id, external_id } = bodyOf<Creator>(await by.api.enroll(by.linkBody(userId, { display_name })));
    return { id, external_id, userId };
  };
  const zoe = await enrolled(agency, 'Zoë Quill', ['Nightingale']);
  const zora = await enrolled(agency, 'Zora Quell');
  const foreign = await enrolled(other, 'Zoé Quarrel');
  await agency.api.protect(zora.id, 'active');
  const named = async (text: string, by = member) =>
    idsOf(await by.got<Page<Row>>(`/creators?text=${encodeURIComponent(text)}`));
  const suggested = async (text: string, by = member) => {
    const { data } = await by.got<Found>(`/search?text=${encodeURIComponent(text)}`);
    return data.map(({ kind, name }) => `${kind} ${name}`);
  };
  await eventually(async () => expect(await named('zo')).toEqual([zoe.id, zora.id]));
  expect(await named('QUILL zoe')).toEqual([zoe.id]);
  expect(await named('night')).toEqual([zoe.id]);
  expect(await named(zora.external_id)).toEqual([zora.id]);
  expect(await named('oe')).toEqual([]);
  expect(idsOf(await member.got('/creators?text=zo&protection_status=active'))).toEqual([zora.id]);
  const first = await member.got<Page<Row>>('/creators?text=zo&limit=1');
  expect([idsOf(first), first.next_cursor]).toEqual([[zoe.id], zoe.id]);
  expect(await member.got(`/creators?text=zo&limit=1&after=${zoe.id}`)).toMatchObject({ next_cursor: null });
  expect(await suggested('zo')).toEqual(['creator Zoë Quill', 'creator Zora Quell']);
  await eventually(async () => expect(await suggested('zoe q', stranger)).toEqual(['creator Zoé Quarrel']));
  expect(await named('zo', stranger)).toEqual([foreign.id]);

  // A former name finds nobody.
  await agency.changeUser(zoe.userId, { display_name: 'Ada Quill' });
  await agency.api.got(`/v1/creators/${zoe.id}`);
  await eventually(async () => expect(await named('ada')).toEqual([zoe.id]));
  expect(await named('zoe')).toEqual([]);
});

test('the search suggests keys and endpoints by name or URL', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const { keyId } = await agency.issueKey({ name: 'Nightly import' });
  const { id } = await agency.endpoint('http://localhost:9/hooks/protection');
  const stranger = await DashboardPage.ofMember(service, await service.agency());
  const suggested = async (text: string, by = member) =>
    (await by.got<Found>(`/search?text=${encodeURIComponent(text)}`)).data;
  await eventually(async () => {
    expect(await suggested('import')).toMatchObject([{ kind: 'key', detail: 'active', path: `/keys/${keyId}` }]);
    expect(await suggested('hooks')).toMatchObject([{ kind: 'endpoint', path: `/webhooks/${id}` }]);
  });
  expect([await suggested('import', stranger), await suggested('hooks', stranger)]).toEqual([[], []]);
});

test('the search finds the page of every id, of the own agency alone', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const stranger = await DashboardPage.ofMember(service, await service.agency());
  const creator = await agency.active({
    profiles: [{ platform: 'instagram', username: 'Talia.Moss', profile_id: null }],
  });
  const scan = await agency.scan(creator.id);
  const found = async (text: string, by = member) => {
    const { data } = await by.got<Found>(`/search?text=${encodeURIComponent(text)}`);
    return data[0]?.path;
  };
  const page = `/creators/${creator.id}`;
  expect(await found(creator.id)).toBe(page);
  expect(await found(creator.external_id)).toBe(page);
  expect(await found(` ${creator.svc_user_id?.toUpperCase()} `)).toBe(page);
  await agency.leaks(creator.userId, 1);
  await agency.impersonations(creator.userId, 1);
  const [leak] = await agency.api.cases(creator.id);
  const [impersonation] = await agency.api.impersonations(creator.id);
  const records = [scan.id, leak?.id ?? '', impersonation?.id ?? ''];
  for (const record of records) {
    expect(await found(record)).toBe(`${page}?record=${record}`);
    const { data } = await member.got<Page<Row>>(`${page}/records/${record}`);
    expect(data.at(-1)).toMatchObject({ type: expect.stringMatching(/\.(?:queued|opened)\.v1$/) });
  }
  await agency.scanThatIs('completed', scan.id);
  const events = `${page}/records/${scan.id}`;
  const newest = await member.got<Page<Row>>(`${events}?limit=1`);
  const older = await member.got<Page<Row>>(`${events}?after=${newest.next_cursor}`);
  expect([...idsOf(newest), ...idsOf(older)]).toEqual(idsOf(await member.got(events)));
  expect([newest.data.length, older.next_cursor]).toEqual([1, null]);
  const other = await agency.linked();
  for (const record of [leak?.id, creator.id, 'x']) {
    expect((await member.fetch('GET', `/creators/${other.id}/records/${record}`)).status).toBe(404);
  }
  const pages = { event: '/events/', webhookDelivery: '/deliveries/', key: '/keys/' } as const;
  for (const [kind, address] of Object.entries(pages)) {
    const id = newId(kind as keyof typeof pages);
    expect(await found(id)).toBe(`${address}${id}`);
  }
  await agency.api.got(`/v1/creators/${creator.id}`);
  await eventually(async () => expect(await found('https://instagram.com/talia.moss')).toBe(page));
  const request = crypto.randomUUID();
  expect(await found(request)).toBe(`/requests/${request}`);
  for (const text of [creator.id, creator.external_id, scan.id, 'https://instagram.com/talia.moss', 'nobody']) {
    expect(await found(text, stranger)).toBeUndefined();
  }
});
