import { expect, test } from '@jest/globals';
import type { DeindexRequest, Impersonation } from '#client';
import { RequestLog } from '#dashboard';
import { type CreatorId, HOUR } from '#kernel';
import { eventually } from '#testing';
import { dashboardRoutes } from '../../support/dashboard-routes.js';
import { erase } from '../../support/operator-actions.js';
import type { Agency } from '../support/agency.js';
import { bodyOf } from '../support/api-client.js';
import { DashboardPage, NO_PROVIDER } from '../support/dashboard-page.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

const NAME = 'Canaria Quellstein';
const ALIAS = 'canaria-alias';
const EXTERNAL_ID = 'canaria-external';
const PROFILE = 'canaria.profile';
const LEAK_URL = 'https://canaria.example/leak';
const BAD_LEAK = 'canaria_bad_leak';

/** The ids that lead to the creator, from one page to the next. */
interface Ids {
  readonly creator: string;
  readonly user: string;
  /** A scan, a case, a deindex request and an impersonation. */
  readonly records: readonly string[];
  readonly events: readonly string[];
  readonly deliveries: readonly string[];
  readonly endpoint: string;
  readonly key: string;
  readonly request: string;
  readonly month: string;
}

const searched = (texts: readonly string[]) => texts.map((text) => `?text=${encodeURIComponent(text)}`);
const pathsOf = ({ creator, endpoint, events, deliveries, records, request, key, ...ids }: Ids) => ({
  attention: [''],
  billing: [''],
  creators: [
    '',
    ...searched([NAME, ALIAS, EXTERNAL_ID, `https://instagram.com/${PROFILE}`]),
    '?enrollment_status=linked',
    '?protection_status=paused',
    '?limit=1',
  ],
  'creators/:id': [creator],
  'creators/:id/cases': [creator, `${creator}?source=svc`],
  'creators/:id/cases/file': [creator],
  'creators/:id/deindex-requests': [creator],
  'creators/:id/intervals': [creator],
  'creators/:id/records/:record': records.map((record) => `${creator} ${record}`),
  'creators/:id/scans': [creator],
  'creators/:id/timeline': [creator],
  deliveries: ['', '?tab=undelivered', `?creator=${creator}`, `?event=${events[0]}`, '?status=failed', '?answer=503'],
  'deliveries/:id': deliveries,
  'deliveries/count': ['', `?creator=${creator}`],
  endpoints: [''],
  'endpoints/:id': [endpoint],
  events: ['', `?creator=${creator}`, '?type=case.created'],
  'events/:id': events,
  'events/file': ['?format=csv', '?format=jsonl', `?format=csv&creator=${creator}`],
  keys: [''],
  'keys/:id': [key],
  'left-out': ['', `?creator=${creator}`],
  live: [''],
  overview: [''],
  replays: [''],
  requests: ['', '?code=invalid_request', `?key=${key}`],
  'requests/:id': [request],
  'requests/calls': ['', '?by=minute', `?key=${key}`],
  search: searched([
    ...[creator, ids.user, ...records],
    ...[
      NAME,
      ALIAS,
      EXTERNAL_ID,
      LEAK_URL,
      `https://instagram.com/${PROFILE}`,
      ...events.slice(0, 1),
      ...deliveries.slice(0, 1),
      request,
    ],
  ]),
  session: [''],
  usage: ['', `?month=${ids.month}`],
  'usage/creators': ['', `?month=${ids.month}`],
  'usage/creators/:id': [creator, `${creator}?month=${ids.month}`],
  'usage/file': [''],
  'usage/statements': [''],
  'usage/statements/:month/file': [ids.month],
});

/** Where the creator's id stays, without anything else about it: what was sent, and what is paid for. */
const PSEUDONYMOUS: ReadonlySet<string> = new Set([
  ...['deliveries', 'deliveries/:id'],
  ...['usage/creators', 'usage/file', 'usage/statements/:month/file'],
]);

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, provider: NO_PROVIDER });
let agency: Agency;
let ids: Ids;
let marks: readonly string[];
const member = () => DashboardPage.ofOwner(service, agency);

/** Everything that an agency holds of a creator, each part with a mark. */
const fill = async (): Promise<void> => {
  agency = await service.agency();
  const receiver = await Receiver.start();
  receiver.answers(503);
  const { id: endpoint } = await agency.endpoint(receiver.url);
  const profiles = [{ platform: 'instagram', username: PROFILE, profile_id: null }];
  const user = await agency.user({ display_name: NAME, aliases: [ALIAS], profiles });
  const { id: creator } = bodyOf<{ id: string }>(
    await agency.api.enroll(agency.linkBody(user, { external_id: EXTERNAL_ID, display_name: NAME })),
  );
  bodyOf(await agency.api.protect(creator, 'active'));
  const scan = await agency.scanThatIs('completed', (await agency.scan(creator)).id);
  await agency.leaks(user, 2, { url: LEAK_URL, job_id: scan.svc_job_id });
  await agency.impersonations(user, 1);
  await service.platform.control('POST', `/creators/${user}/leaks`, { leak_id: BAD_LEAK, status: 'x'.repeat(201) });
  const found = (await agency.api.cases(creator)).find(({ scan_id }) => scan_id === scan.id);
  const deindexRequest = bodyOf<DeindexRequest>(await agency.api.requestDeindex(found?.id ?? '', 'erased later'));
  const [impersonation] = await agency.api.impersonations(creator);
  await service.pass(HOUR);
  bodyOf(await agency.api.protect(creator, 'paused'));
  const refused = await agency.api.patch(creator, { display_name: NAME, aliases: [` ${ALIAS}`], [ALIAS]: NAME });
  await agency.api.get(`/v1/creators/${EXTERNAL_ID}`);
  await service.pass(HOUR);
  const events = (await agency.publishedEvents()).map(({ id }) => id);
  const deliveries = (await agency.deliveries()).map(({ id }) => id);
  const month = new Date(service.clock.now()).toISOString().slice(0, 7);
  const owner = await member();
  await owner.fetch('POST', '/usage/statements', { month });
  await owner.fetch('POST', '/replays', { endpoint, creator });
  const { url, username } = impersonation as Impersonation & { url: string; username: string };
  marks = [NAME, ALIAS, EXTERNAL_ID, PROFILE, LEAK_URL, BAD_LEAK, user, url, username];
  ids = {
    ...{ creator, user, endpoint, month, events, deliveries, key: agency.keyId },
    records: [scan.id, found?.id ?? '', deindexRequest.id, impersonation?.id ?? ''],
    request: String(refused.headers['x-request-id']),
  };
};

/** Returns each route's answer, by its path below `/dashboard/api`. */
const said = async (): Promise<ReadonlyMap<string, string>> => {
  await service.services.app.get(RequestLog, { strict: false }).write();
  const owner = await member();
  await eventually(async () => {
    const { data } = await owner.got<{ data: { state: string }[] }>('/usage/statements');
    expect(data.map(({ state }) => state)).not.toContain('pending');
  });
  const texts = new Map<string, string>();
  for (const [route, paths] of Object.entries(pathsOf(ids))) {
    for (const path of paths) {
      const [given = '', query = ''] = path.split('?');
      const parameters = given.split(' ');
      const address = `/${route.replaceAll(/:\w+/g, () => String(parameters.shift()))}${query && `?${query}`}`;
      const answer = await owner.fetch('GET', address);
      // An event stream has no end to wait for. It contains only names of queries, as its own spec shows.
      const isOpen = answer.headers.get('content-type') === 'text/event-stream';
      if (isOpen) await answer.body?.cancel();
      texts.set(`${route} ${path}`, `${answer.status} ${isOpen ? '' : await answer.text()}`);
    }
  }
  return texts;
};

test('every route that reads is looked through', () => {
  const routes = dashboardRoutes(service.services.app).filter(({ method, right }) => method === 'GET' && right);
  const paths = routes.map(({ path }) => path.replace('/dashboard/api/', ''));
  expect(Object.keys(pathsOf({ events: [], deliveries: [], records: [] } as unknown as Ids)).sort()).toEqual(
    paths.sort(),
  );
});

test('an erased creator is on no page, in no download, in no count by name and in no log of requests', async () => {
  await fill();
  const before = await said();
  const all = [...before.values()].join('\n');
  expect(marks.filter((mark) => !all.includes(mark))).toEqual([]);
  expect([...before].filter(([, text]) => !text.startsWith('200 '))).toEqual([]);
  // From now on the platform's record is refused: its user's id is what is shown of it.
  await agency.changeUser(ids.user, { authorization: { approved: true, expires_at: ALIAS } });
  await service.pass(HOUR);
  expect((await said()).get('left-out ')).toContain(ids.user);

  await erase(service.services, ids.creator as CreatorId, 0);
  await service.quiet();
  const expectNothing = async () => {
    const found = [...(await said())].map(([path, text]) => {
      const isPseudonymous = PSEUDONYMOUS.has(path.split(' ')[0] ?? '');
      return {
        path,
        text,
        marks: [...marks, ...(isPseudonymous ? [] : [ids.creator])].filter((mark) => text.includes(mark)),
      };
    });
    expect(found.filter((answer) => answer.marks.length > 0)).toEqual([]);
  };
  await expectNothing();
  // The platform still has the creator, and is walked again.
  await service.pass(HOUR);
  await expectNothing();
});
