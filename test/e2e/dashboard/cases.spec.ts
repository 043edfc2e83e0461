import { expect, test } from '@jest/globals';
import type { DeindexRequest } from '#client';
import { DAY, newId } from '#kernel';
import { eventually } from '#testing';
import { bodyOf } from '../support/api-client.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { startService } from '../support/start-service.js';

const service = await startService({ provider: NO_PROVIDER });

interface Case {
  readonly id: string;
  readonly url: string;
  readonly site: string;
  readonly status: string;
  readonly source: string;
  readonly first_seen_at: number;
  readonly deindex_request: { readonly id: string; readonly status: string } | null;
}
interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

test('D9: the cases of a creator are listed by status, source and site, the latest first, for its agency alone', async () => {
  const agency = await service.agency();
  const member = await DashboardPage.ofMember(service, agency);
  const stranger = await DashboardPage.ofMember(service, await service.agency());
  const creator = await agency.active();
  const scan = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  const now = service.clock.now();
  const leak = (age: number, change: object) =>
    agency.leaks(creator.userId, 1, { created_at: now - age * DAY, updated_at: now, ...change });
  await leak(3, { url: 'https://cdn.leaks.example/Old?a=1' });
  await leak(2, { url: 'https://other.example/a', status_code: 'removed' });
  await leak(1, { url: 'https://www.leaks.example/new' });
  // The scan has found some itself.
  const scanned = (await agency.api.cases(creator.id)).filter(({ scan_id }) => scan_id === scan.id);
  const [{ id: requested = '' } = {}] = scanned;
  const request = bodyOf<DeindexRequest>(await agency.api.requestDeindex(requested, 'of the list'));
  const path = `/creators/${creator.id}/cases`;
  const found = async (query: string) => (await member.got<Page<Case>>(`${path}?${query}`)).data.map(({ url }) => url);

  const all = await eventually(async () => {
    const page = await member.got<Page<Case>>(path);
    expect(page.data).toHaveLength(scanned.length + 3);
    expect(page.data.find(({ id }) => id === requested)?.deindex_request).toMatchObject({ id: request.id });
    return page;
  });
  expect(all.data.slice(0, -3)).toMatchObject(scanned.map(() => ({ source: 'api_scan', status: 'detected' })));
  expect(all.data.slice(-3)).toMatchObject([
    { site: 'www.leaks.example', status: 'detected', source: 'svc', first_seen_at: now - DAY, deindex_request: null },
    { site: 'other.example', status: 'removed', source: 'svc' },
    { site: 'cdn.leaks.example', status: 'detected', source: 'svc' },
  ]);
  const [latest = '', , oldest = ''] = all.data.slice(-3).map(({ url }) => url);
  expect(await found('source=svc&status=detected')).toEqual([latest, oldest]);
  expect(await found('source=api_scan')).toHaveLength(scanned.length);
  expect(await found('status=removed')).toEqual(['https://other.example/a']);
  expect(await found('site=LEAKS.example')).toEqual([latest, oldest]);
  expect(await found('site=eaks.example')).toEqual([]);
  const first = await member.got<Page<Case>>(`${path}?limit=2`);
  const second = await member.got<Page<Case>>(`${path}?limit=100&after=${first.next_cursor}`);
  expect(first.data).toHaveLength(2);
  expect([...first.data, ...second.data].map(({ url }) => url)).toEqual(all.data.map(({ url }) => url));
  for (const query of ['source=x', 'after=x', `after=${newId('case')}`]) {
    expect((await member.fetch('GET', `${path}?${query}`)).status).toBe(400);
  }
  const counts = [
    { status_code: 'detected', count: scanned.length + 2 },
    { status_code: 'removed', count: 1 },
  ];
  expect(await member.got(`/creators/${creator.id}`)).toMatchObject({ cases: counts });
  expect(await member.got('/creators')).toMatchObject({
    data: [{ id: creator.id, open_cases: scanned.length + 2, last_scan_at: scan.created_at }],
  });

  const searched = (text: string, by = member) =>
    by.got<Page<object>>(`/search?text=${encodeURIComponent(text)}`).then(({ data }) => data);
  const suggestion = { kind: 'case', name: latest, detail: creator.display_name };
  for (const text of ['leaks.example/new', 'https://www.leaks.example/n']) {
    expect(await searched(text)).toMatchObject([suggestion]);
    expect(await searched(text, stranger)).toEqual([]);
  }
  expect((await stranger.fetch('GET', path)).status).toBe(404);
});

test('who acted has a name, which no other agency gets', async () => {
  const agency = await service.agency();
  const owner = await DashboardPage.ofOwner(service, agency);
  const { keyId, api } = await agency.issueKey({ name: 'Nightly import' });
  const creator = await agency.linked();
  await api.protect(creator.id, 'active');
  const timeline = `/creators/${creator.id}/timeline`;
  const { data } = await owner.got<Page<{ actor: string; actor_name: string | null }>>(timeline);
  expect(data.find(({ actor }) => actor === `key:${keyId}`)).toMatchObject({ actor_name: 'Nightly import' });
  expect(data.find(({ actor }) => actor === `key:${agency.keyId}`)).toMatchObject({ actor_name: null });
  const intervals = await owner.got<Page<{ opened_by: object }>>(`/creators/${creator.id}/intervals`);
  expect(intervals.data[0]?.opened_by).toMatchObject({ actor: `key:${keyId}`, actor_name: 'Nightly import' });
});
