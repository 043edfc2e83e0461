import { describe, expect, test } from '@jest/globals';
import {
  agencyId,
  type CreatorId,
  type DeindexRequestId,
  parseUserId,
  type RefusedRecord,
  type ScanId,
  type UserId,
} from '#kernel';
import { ContractViolation, integer, read, textUpTo } from '../schemas.js';
import { parseAgency, parseCapacity } from './agency.js';
import { parseCreator, parseRosterPage } from './creator.js';
import {
  parseFoundInvitation,
  parseFoundJob,
  parseInvitation,
  parseInvitationOf,
  parseJob,
  parseJobOf,
  parseSubmissionOf,
} from './effect.js';
import { parseActivityPage, parseImpersonationPage, parseLeakPage, parseReportedImpersonation } from './finding.js';
import * as fixtures from './records.fixtures.js';

const user = (text: string): UserId => parseUserId(text) ?? (text as UserId);
const USER = user(fixtures.USER);
const REFERENCE = fixtures.REFERENCE as CreatorId;
const SCAN = fixtures.SCAN as ScanId;

/** A page of the one record; throws where it was left out. */
const pageOf =
  <Page extends { readonly refused: readonly RefusedRecord[] }>(parse: (body: unknown) => Page) =>
  (record: object): Page => {
    const page = parse({ data: [record], next_cursor: null });
    for (const { reason } of page.refused) throw new ContractViolation(reason);
    return page;
  };
const leakPage = pageOf(parseLeakPage({ limit: 2 }));
const activityPage = pageOf(parseActivityPage({ limit: 2 }));
const impersonationPage = pageOf(parseImpersonationPage({ limit: 2 }));
const rosterPage = pageOf(parseRosterPage({ limit: 2 }));

/** Whether a bad value at `path` is left out alone, without the rest of the creator (D65). */
const isLeftOutSingly = (path: string) => /^(aliases|profiles)\.0/.test(path);

/** The members that a creator may omit according to the contract. */
const OPTIONAL = ['authorization.status', 'authorization.expires_at', 'entitlement.source'];

/** An activity record without the members that it may omit according to the contract. */
const withoutOptional = ({
  leak_id: _l,
  url: _u,
  status: _s,
  status_code: _c,
  ...required
}: typeof fixtures.activity) => required;

const PARSERS: [name: string, record: object, parse: (body: object) => unknown][] = [
  ['agency', fixtures.agency, parseAgency(agencyId('agency-1'))],
  ['capacity', fixtures.capacity, parseCapacity],
  ['creator', fixtures.creator, parseCreator(USER)],
  ['creator on the roster', fixtures.creator, rosterPage],
  ['invitation', fixtures.invitation, parseInvitation('inv-1')],
  ['invitation by reference', fixtures.invitation, parseInvitationOf(REFERENCE)],
  ['found invitation', { data: [fixtures.invitation] }, parseFoundInvitation(REFERENCE)],
  ['leak', fixtures.leak, leakPage],
  ['answered report', fixtures.impersonation, parseReportedImpersonation(fixtures.impersonation.url)],
  ['impersonation of a page', fixtures.impersonation, impersonationPage],
  ['activity', withoutOptional(fixtures.activity), activityPage],
  ['job', fixtures.scanJob, parseJob('job-1')],
  ['job by reference', fixtures.scanJob, parseJobOf(SCAN)],
  ['found job', { data: [fixtures.scanJob] }, parseFoundJob(SCAN)],
  ['submission', fixtures.submission, parseSubmissionOf(fixtures.DEINDEX_REQUEST as DeindexRequestId)],
];

/** The path of each value in the record. */
const paths = (value: unknown, prefix = ''): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [`${prefix}${name}`, ...paths(inner, `${prefix}${name}.`)]);

/** A copy with another value at one path; `undefined` removes it. */
const withValue = (record: object, path: string, value: unknown): object => {
  const copy = structuredClone(record);
  const names = path.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<Record<string, unknown>>(
    (inner, name) => inner[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  if (value === undefined && !Array.isArray(holder)) delete holder[last];
  else holder[last] = value;
  return copy;
};

describe.each(PARSERS)('%s', (_, record, parse) => {
  test('is understood, and nothing unknown is passed on', () => {
    const plain = parse(record);
    expect(parse({ ...record, private_notes: 'x' })).toEqual(plain);
    expect(JSON.stringify(plain)).not.toContain('private');
  });

  const required = paths(record).filter((path) => !OPTIONAL.includes(path) && !isLeftOutSingly(path));
  test.each(required)('is refused without %s', (path) => {
    expect(() => parse(withValue(record, path, undefined))).toThrow(ContractViolation);
  });

  test.each(paths(record).filter((path) => !isLeftOutSingly(path)))(
    'is refused with a %s of the wrong type',
    (path) => {
      for (const wrong of [{ a: 1 }, 1.5, Number.MAX_SAFE_INTEGER + 1]) {
        expect(() => parse(withValue(record, path, wrong))).toThrow(ContractViolation);
      }
    },
  );

  test.each([null, [], 'text', 1])('is no %j', (value) => {
    expect(() => parse(value as unknown as object)).toThrow(ContractViolation);
  });
});

test('optional members of a creator that are missing read as null', () => {
  const sparse = {
    ...fixtures.creator,
    invitation_reference: null,
    profiles: [{ platform: 'x', username: 'lea' }],
    authorization: { approved: false },
    entitlement: { active: false },
  };
  expect(parseCreator(USER)(sparse)).toMatchObject({
    invitationReference: null,
    identity: { profiles: [{ platform: 'x', username: 'lea', profileId: null }] },
    authorization: { approved: false, status: null, expiresAt: null },
    entitlement: { active: false, source: null },
  });
});

test.each([
  ['authorization.status', null],
  ['authorization.status', 'valid'],
  ['authorization.expires_at', 'tomorrow'],
  ['authorization.expires_at', '2027-01-31'],
  ['authorization.expires_at', '2027-13-31T00:00:00Z'],
  ['authorization.expires_at', '2028-02-30T00:00:00Z'],
  ['entitlement.source', null],
  ['user_id', 'not-a-uuid'],
  ['user_id', fixtures.OTHER_USER],
])('a creator with %s %j is refused', (path, value) => {
  expect(() => parseCreator(USER)(withValue(fixtures.creator, path, value))).toThrow(ContractViolation);
});

test.each([
  ['2027-01-31T00:00:00Z', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31t00:00:00.5z', '2027-01-31T00:00:00.500Z'],
  ['2027-01-31T00:30:00.123456789+14:00', '2027-01-30T10:30:00.123Z'],
  // Leap seconds, for which a Date has no place of their own.
  ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.000Z'],
  ['2027-01-01T05:29:60+05:30', '2026-12-31T23:59:59.000Z'],
])('an authorization that ends %s does so at %s, so that the same moment is never a change', (sent, expiresAt) => {
  const sentSo = withValue(fixtures.creator, 'authorization.expires_at', sent);
  expect(parseCreator(USER)(sentSo)).toMatchObject({ authorization: { expiresAt } });
});

test('minus zero reads as the zero that the log gives back', () => {
  expect(read(integer, -0)).toBe(0);
});

test('D65: the checks of a text end with its bound', () => {
  const checked: string[] = [];
  const short = textUpTo(3).refine((value) => checked.push(value));
  expect([short.safeParse('long').success, short.safeParse('abc').success]).toEqual([false, true]);
  expect(checked).toEqual(['abc']);
});

test('user ids are lower-cased', () => {
  expect(parseCreator(USER)({ ...fixtures.creator, user_id: fixtures.USER.toUpperCase() }).userId).toBe(USER);
});

test('a record of another agency, reference or id is refused', () => {
  expect(() => parseAgency(agencyId('agency-2'))(fixtures.agency)).toThrow(ContractViolation);
  expect(() => parseInvitation('inv-2')(fixtures.invitation)).toThrow(ContractViolation);
  expect(() => parseInvitationOf('crt_x' as CreatorId)(fixtures.invitation)).toThrow(ContractViolation);
  expect(() => parseFoundInvitation('crt_x' as CreatorId)({ data: [fixtures.invitation] })).toThrow(ContractViolation);
  expect(() => parseJob('job-2')(fixtures.scanJob)).toThrow(ContractViolation);
  expect(() => parseFoundJob('scn_x' as ScanId)({ data: [fixtures.scanJob] })).toThrow(ContractViolation);
});

test('a lookup finds none or one', () => {
  expect(parseFoundJob(SCAN)({ data: [] })).toBeUndefined();
  expect(() => parseFoundJob(SCAN)({ data: [fixtures.scanJob, fixtures.scanJob] })).toThrow(ContractViolation);
});

test('a failure names the field and never the value', () => {
  expect(() => parseCreator(USER)({ ...fixtures.creator, display_name: { secret: 'Lea' } })).toThrow(
    /^display_name is not a string$/,
  );
});

describe('a page of the roster', () => {
  const ids = ['a', 'b', 'c'].map((digit) => user(`00000000-0000-4000-8000-00000000000${digit}`));
  const [a, b, c] = ids as [UserId, UserId, UserId];
  const page = (members: UserId[], next: unknown, after?: UserId) =>
    parseRosterPage({ limit: 2, ...(after && { after }) })({
      data: members.map((user_id) => ({ ...fixtures.creator, user_id })),
      next_cursor: next,
    });

  test('holds creators in order', () => {
    expect(page([b, c], c, a)).toMatchObject({ creators: [{ userId: b }, { userId: c }], nextCursor: c });
    expect(page([], null)).toEqual({ creators: [], refused: [], nextCursor: null });
  });

  test.each(['page-2', '', a, b])('continues after its last creator, with any cursor: %j', (next) => {
    expect(page([b, c], next, a)).toMatchObject({ nextCursor: c });
  });

  test('an empty page advances by its cursor if that is a creator', () => {
    expect(page([], b, a)).toEqual({ creators: [], refused: [], nextCursor: b });
  });

  test.each<[string, UserId[], unknown, UserId?]>([
    ['is out of order', [b, a], null],
    ['goes back behind the cursor', [a, b], null, a],
    ['is longer than the limit', [a, b, c], null],
    ['is empty and has a cursor that is no UUID', [], 'page-2'],
    ['has a cursor that is no string', [a], 2],
    ['has no cursor', [a], undefined],
    ['is empty and has the cursor that was asked with', [], a, a],
    ['is empty and goes back', [], a, b],
  ])('is refused where it %s', (_, members, next, ...[after]) => {
    expect(() => page(members, next, after)).toThrow(ContractViolation);
  });
});

test('a record of activity may be about no leak, or leave out what it is about', () => {
  const { leak_id: _, ...sparse } = { ...fixtures.activity, url: null, status: null, status_code: null };
  expect(activityPage(sparse)).toMatchObject({
    records: [{ leakId: null, url: null, status: null, statusCode: null }],
  });
  for (const name of ['leak_id', 'url', 'status', 'status_code']) {
    expect(() => activityPage({ ...fixtures.activity, [name]: 1 })).toThrow(ContractViolation);
  }
});

describe.each<
  [
    of: string,
    record: object,
    idName: string,
    parse: (request: { limit: number; after?: string }) => (body: unknown) => object,
  ]
>([
  [
    'activity',
    fixtures.activity,
    'id',
    ({ limit, after }) => parseActivityPage({ limit, ...(after && { cursor: after }) }),
  ],
  ['impersonations', fixtures.impersonation, 'impersonation_id', parseImpersonationPage],
  ['leaks', fixtures.leak, 'leak_id', parseLeakPage],
])('a page of %s', (of, record, idName, parse) => {
  const page = (ids: string[], next: unknown, after?: string) =>
    parse({ limit: 2, ...(after && { after }) })({
      data: ids.map((id) => ({ ...record, [idName]: id })),
      next_cursor: next,
    });

  test('is in the order that the platform sorts by', () => {
    const { nextCursor, refused, ...list } = page(['r-10', 'r-9'], 'r-9', 'r-1') as Record<string, unknown>;
    expect([nextCursor, refused]).toEqual(['r-9', []]);
    expect(Object.values(list)).toMatchObject([[{}, {}]]);
  });

  test.each<[string, string[], unknown, string?]>([
    ['is longer than the limit', ['a', 'b', 'c'], null],
    ['has the cursor that was asked with', [], 'a', 'a'],
    ['has an empty cursor', ['a'], ''],
    ['has a cursor that no query holds', ['a'], 'é'.repeat(2_049)],
  ])('is refused where it %s', (_, ids, next, ...[after]) => {
    expect(() => page(ids, next, after)).toThrow(ContractViolation);
  });

  test('is refused where it shows the last record again, unless its cursor is opaque', () => {
    const again = () => page(['a', 'b'], null, 'a');
    if (of === 'activity') expect(again()).toMatchObject({ nextCursor: null });
    else expect(again).toThrow(ContractViolation);
  });
});
