import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MINUTE } from '#kernel';
import { type DashboardRoute, dashboardRoutes } from '../../support/dashboard-routes.js';
import type { Agency } from '../support/agency.js';
import { sendRaw } from '../support/raw-http.js';
import { Service } from '../support/service.js';
import { Visitor } from '../support/visitor.js';

/** Who may use a route of an agency, by the design's table of people. */
const MAY = {
  read: ['owner', 'member', 'operator'],
  owner: ['owner'],
  ownerAndOperator: ['owner', 'operator'],
} as const;

/** Every route has a row, and no other has one. `session`: any person who is signed in. `open`: everybody. */
const ROWS: Readonly<Record<string, keyof typeof MAY | 'session' | 'open'>> = {
  'GET /dashboard/login': 'open',
  'GET /dashboard/callback': 'open',
  'GET /dashboard/signed-out': 'open',
  'GET /dashboard/api/attention': 'read',
  'GET /dashboard/api/billing': 'owner',
  'POST /dashboard/api/billing/session': 'owner',
  'POST /dashboard/api/binding': 'owner',
  'GET /dashboard/api/creators': 'read',
  'GET /dashboard/api/creators/:id': 'read',
  'GET /dashboard/api/creators/:id/cases': 'read',
  'GET /dashboard/api/creators/:id/cases/file': 'read',
  'GET /dashboard/api/creators/:id/deindex-requests': 'read',
  'GET /dashboard/api/creators/:id/intervals': 'read',
  'GET /dashboard/api/creators/:id/records/:record': 'read',
  'GET /dashboard/api/creators/:id/scans': 'read',
  'GET /dashboard/api/creators/:id/timeline': 'read',
  'GET /dashboard/api/deliveries': 'read',
  'GET /dashboard/api/deliveries/:id': 'read',
  'POST /dashboard/api/deliveries/:id/replay': 'ownerAndOperator',
  'GET /dashboard/api/deliveries/count': 'read',
  'GET /dashboard/api/endpoints': 'read',
  'POST /dashboard/api/endpoints': 'owner',
  'GET /dashboard/api/endpoints/:id': 'read',
  'POST /dashboard/api/endpoints/:id/disable': 'ownerAndOperator',
  'POST /dashboard/api/endpoints/:id/enable': 'owner',
  'POST /dashboard/api/endpoints/:id/rotate': 'owner',
  'POST /dashboard/api/endpoints/:id/test': 'owner',
  'PUT /dashboard/api/endpoints/:id/types': 'owner',
  'GET /dashboard/api/events': 'read',
  'GET /dashboard/api/events/:id': 'read',
  'GET /dashboard/api/events/file': 'read',
  'GET /dashboard/api/keys': 'read',
  'POST /dashboard/api/keys': 'owner',
  'DELETE /dashboard/api/keys/:id': 'ownerAndOperator',
  'GET /dashboard/api/keys/:id': 'read',
  'GET /dashboard/api/live': 'read',
  'GET /dashboard/api/left-out': 'read',
  'GET /dashboard/api/overview': 'read',
  'POST /dashboard/api/replays': 'ownerAndOperator',
  'GET /dashboard/api/replays': 'read',
  'POST /dashboard/api/replays/:id/end': 'ownerAndOperator',
  'GET /dashboard/api/requests': 'read',
  'GET /dashboard/api/requests/:id': 'read',
  'GET /dashboard/api/requests/calls': 'read',
  'GET /dashboard/api/search': 'read',
  'GET /dashboard/api/session': 'session',
  'POST /dashboard/api/signature-check': 'read',
  'GET /dashboard/api/usage': 'read',
  'GET /dashboard/api/usage/creators': 'read',
  'GET /dashboard/api/usage/creators/:id': 'read',
  'GET /dashboard/api/usage/file': 'read',
  'GET /dashboard/api/usage/statements': 'read',
  'POST /dashboard/api/usage/statements': 'read',
  'GET /dashboard/api/usage/statements/:month/file': 'read',
  'POST /dashboard/logout': 'session',
};

const ROLES = ['owner', 'member', 'operator', 'auditor', 'analyst', 'stranger'] as const;
type Role = (typeof ROLES)[number];

let service: Service;
let agency: Agency;
let other: Agency;
let people: Readonly<Record<Role, Visitor>>;

beforeAll(async () => {
  service = await Service.start({ provider: 'sandbox' });
  [agency, other] = [await service.agency(), await service.agency()];
  const { owner_user_id: owner } = await agency.change({});
  const { owner_user_id: stranger } = await other.change({});
  const signedIn = (options: object) => Visitor.signedIn(service, options);
  people = {
    owner: await signedIn({ id: owner, agency_id: agency.id }),
    member: await signedIn({ agency_id: agency.id }),
    operator: await signedIn({ roles: ['operator'] }),
    auditor: await signedIn({ roles: ['auditor'] }),
    analyst: await signedIn({ roles: ['analyst'] }),
    stranger: await signedIn({ id: stranger, agency_id: other.id }),
  };
});
// Each session has 600 requests a minute.
beforeEach(() => service.pass(MINUTE));
afterAll(() => service.stop());

const nameOf = ({ method, path }: DashboardRoute): string => `${method} ${path}`;

/** The outcome of a call with made-up parameters: a person with the right gets past 401 and 403. */
const outcomeFor = async (visitor: Visitor, { method, path }: DashboardRoute, agencyId?: string): Promise<string> => {
  const address = path.replaceAll(/:(\w+)/g, (_, name) => (name === 'month' ? '2026-02' : randomUUID()));
  const query = agencyId === undefined ? '' : `?agency=${agencyId}`;
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  const { outcome } = await visitor.send(method, address + query, body);
  return outcome;
};

const REFUSED = /^401|^403 forbidden$|^400 agency_choice_required$/;

const guarded = (): DashboardRoute[] =>
  dashboardRoutes(service.services.app).filter(({ right }) => right !== undefined);
const ofAgencies = (): DashboardRoute[] => guarded().filter(({ right }) => right !== 'session');

const mayUse = (role: Role, route: DashboardRoute): boolean => {
  const row = ROWS[nameOf(route)];
  if (row === undefined || row === 'session' || row === 'open') throw new Error(`${nameOf(route)} has no row`);
  return MAY[row].some((each) => each === role);
};

describe('The routes of the dashboard', () => {
  it('have each a row here, and each a right unless they are open', () => {
    const routes = dashboardRoutes(service.services.app);
    expect(routes.map(nameOf).sort()).toEqual(Object.keys(ROWS).sort());
    const open = routes.filter(({ right }) => right === undefined).map(nameOf);
    expect(open.sort()).toEqual(
      Object.keys(ROWS)
        .filter((name) => ROWS[name] === 'open')
        .sort(),
    );
    const sessions = routes.filter(({ right }) => right === 'session').map(nameOf);
    expect(sessions.sort()).toEqual(
      Object.keys(ROWS)
        .filter((name) => ROWS[name] === 'session')
        .sort(),
    );
  });

  it('need a session', async () => {
    const nobody = await Visitor.known(service);
    for (const route of guarded()) {
      expect([nameOf(route), await outcomeFor(nobody, route, agency.id)]).toEqual([
        nameOf(route),
        '401 session_required',
      ]);
    }
  });

  it.each(ROLES)('let the %s of an agency do there what the role may, and no more', async (role) => {
    for (const route of ofAgencies()) {
      const outcome = await outcomeFor(people[role], route, agency.id);
      const said = `${nameOf(route)} → ${outcome}`;
      if (mayUse(role, route)) expect(said).not.toMatch(/ → (?:401|403)/);
      else expect(said).toBe(`${nameOf(route)} → 403 forbidden`);
    }
  });

  it.each(ROLES)('let the %s of an agency do elsewhere what an operator may, or nothing', async (role) => {
    for (const route of ofAgencies()) {
      const outcome = await outcomeFor(people[role], route, other.id);
      const said = `${nameOf(route)} → ${outcome}`;
      const isAllowed = role === 'stranger' || (role === 'operator' && mayUse('operator', route));
      if (isAllowed) expect(said).not.toMatch(/ → (?:401|403)/);
      else expect(said).toBe(`${nameOf(route)} → 403 forbidden`);
    }
  });

  it('ask the platform nothing about an agency that no claim of the person names (D109)', async () => {
    await service.platform.control('DELETE', '/calls');
    const invented = new Set<string>();
    for (const visitor of [people.owner, people.member, people.auditor, people.stranger]) {
      for (const route of guarded()) {
        const id = `agency_${randomUUID()}`;
        invented.add(id);
        if (route.path !== '/dashboard/logout') await outcomeFor(visitor, route, id);
      }
    }
    const { id: asked } = await service.agency();
    await outcomeFor(people.operator, { method: 'GET', path: '/dashboard/api/overview', right: 'read' }, asked);
    const about = (await service.platform.calls('getAgency')).map(({ path }) => path.split('/').at(-1) ?? '');
    expect(about).toContain(asked);
    expect(about.filter((id) => invented.has(id))).toEqual([]);
  });

  it('are for the only agency of a person, if none is named, and an operator has to choose', async () => {
    for (const route of ofAgencies()) {
      expect(await outcomeFor(people.operator, route)).toBe('400 agency_choice_required');
      expect(await outcomeFor(people.owner, route)).not.toMatch(REFUSED);
    }
  });

  it('are other routes for other methods', async () => {
    for (const route of ofAgencies()) {
      const known = new Set(
        guarded()
          .filter(({ path }) => path === route.path)
          .map(({ method }) => method),
      );
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !known.has(each))) {
        const outcome = await outcomeFor(people.owner, { ...route, method }, agency.id);
        expect(`${method} ${route.path} ${outcome}`).toMatch(/ (?:404 not_found|405 method_not_allowed)$/);
      }
    }
  });
});

describe('A change', () => {
  it('needs the origin of the dashboard and the token of the session', async () => {
    const visitor = people.owner;
    const changes = guarded().filter(({ method, path }) => method !== 'GET' && path !== '/dashboard/logout');
    const { csrf_token: foreign } = await people.member.session<{ csrf_token: string }>();
    const wrong = [
      { origin: 'https://evil.example' },
      { origin: service.url.replace('127.0.0.1', 'localhost') },
      { origin: 'null' },
      { origin: '' },
      { 'x-csrf-token': '' },
      { 'x-csrf-token': foreign },
    ];
    for (const { method, path } of [...changes, { method: 'POST', path: '/dashboard/logout' }]) {
      for (const headers of wrong) {
        const { outcome } = await visitor.send(method, path.replaceAll(/:\w+/g, randomUUID()), { headers });
        expect([method, path, headers, outcome]).toEqual([method, path, headers, '403 forbidden']);
      }
    }
    expect((await visitor.get('/session')).status).toBe(200);
  });

  it('takes no field that its route does not know (D7), and says so only to those who may make it (D1)', async () => {
    const changes = guarded().filter(({ method }) => method === 'POST' || method === 'PUT');
    for (const route of changes.filter(({ path }) => path !== '/dashboard/logout')) {
      const sent = { body: { no_such_field: 1 } };
      const path = `${route.path.replaceAll(/:\w+/g, randomUUID())}?agency=${agency.id}`;
      const refused = await people.owner.send(route.method, path, sent);
      expect([nameOf(route), refused.outcome]).toEqual([nameOf(route), '400 invalid_request']);
      const fields = (refused.body as { error: { details: { field: string }[] } }).error.details;
      expect(fields).toContainEqual({ field: 'no_such_field', message: 'is not known' });
      expect((await people.stranger.send(route.method, path, sent)).outcome).toBe('403 forbidden');
    }
  });

  it('D99: of somebody who lacks the right is refused before its body is sent', async () => {
    const expecting = async (visitor: Visitor): Promise<number> => {
      const { csrf_token: token } = await visitor.session<{ csrf_token: string }>();
      const head = [
        `POST /dashboard/api/keys?agency=${agency.id} HTTP/1.1`,
        `host: ${new URL(service.url).host}`,
        `cookie: ${[...visitor.browser.cookies].map((pair) => pair.join('=')).join('; ')}`,
        `origin: ${service.url}`,
        `x-csrf-token: ${token}`,
        'content-type: application/json',
        'content-length: 2',
        'expect: 100-continue',
        'connection: close',
      ];
      return (await sendRaw(service.url, `${head.join('\r\n')}\r\n\r\n{}`)).status;
    };
    expect([await expecting(people.owner), await expecting(people.member)]).toEqual([100, 403]);
  });
});
