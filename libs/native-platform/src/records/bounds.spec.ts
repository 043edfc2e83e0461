import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { agencyId, type DeindexRequestId, type ScanId, type UserId } from '#kernel';
import { errorOf } from '../classify-response.js';
import { ContractViolation, identifier, mapped, record } from '../schemas.js';
import { parseAgency, parseCapacity, parsePaymentMethods, parseSlotPage } from './agency.js';
import { parseCreator, parseRosterPage } from './creator.js';
import { parseFoundSubmission, parseInvitation, parseJob, parseJobOf, parseSubmissionOf } from './effect.js';
import { parseActivityPage, parseImpersonationPage, parseLeakPage, parseReportedImpersonation } from './finding.js';
import { recordsOf } from './page.js';
import * as fixtures from './records.fixtures.js';

const USER = fixtures.USER as UserId;
const { submission } = fixtures;
const REFERENCE = fixtures.DEINDEX_REQUEST as DeindexRequestId;

/** A code point of four bytes and two code units: lengths count code points (D7). */
const WIDE = '\u{1F3B5}';

/** The pages, each with a record, the member that is its id and its bounded texts. */
const PAGES = [
  {
    name: 'the roster',
    record: fixtures.creator,
    id: 'user_id',
    parse: (body: unknown) => parseRosterPage({ limit: 200 })(body),
    texts: { invitation_reference: 200 },
  },
  {
    name: 'leaks',
    record: fixtures.leak,
    id: 'leak_id',
    parse: (body: unknown) => parseLeakPage({ limit: 200 })(body),
    texts: { url: 2_048, status: 200, job_id: 200 },
  },
  {
    name: 'impersonations',
    record: fixtures.impersonation,
    id: 'impersonation_id',
    parse: (body: unknown) => parseImpersonationPage({ limit: 200 })(body),
    texts: { url: 2_048, platform: 200, username: 200 },
  },
  {
    name: 'activity',
    record: fixtures.activity,
    id: 'id',
    parse: (body: unknown) => parseActivityPage({ limit: 200 })(body),
    texts: { url: 2_048, status: 200, status_code: 200, leak_id: 200 },
  },
];

describe.each(PAGES)('D65: a page of $name', ({ record, id, parse, texts }) => {
  const page = (...data: unknown[]) => {
    const { refused, nextCursor, ...lists } = parse({ data, next_cursor: null });
    return { refused, used: Object.values(lists).flat() };
  };
  const idOf = (n: number) => (id === 'user_id' ? `0b0e7a52-4f7e-4bb1-9d5c-${String(n).padStart(12, '0')}` : `id-${n}`);
  const other = { ...record, [id]: idOf(9) };

  test.each(Object.entries(texts))(
    'takes a %s of %i code points and leaves out the record of a longer one',
    (name, most) => {
      const first = { ...record, [id]: idOf(1) };
      for (const character of ['a', WIDE, '"', '\\']) {
        expect(page({ ...first, [name]: character.repeat(most) })).toMatchObject({ refused: [], used: [{}] });
        const { refused, used } = page({ ...first, [name]: character.repeat(most + 1) }, other);
        expect(refused).toEqual([{ id: idOf(1), reason: expect.stringContaining(name) }]);
        expect(used).toHaveLength(1);
      }
    },
  );

  test.each(Object.keys(texts))(
    'leaves out a record whose %s holds a control character or half a code point',
    (name) => {
      for (const bad of ['a\u0000', 'a\nb', '\u0085', '\u007f', '\ud83c', '\udfb5a']) {
        expect(page({ ...record, [id]: idOf(1), [name]: bad }, other)).toMatchObject({
          refused: [{ id: idOf(1) }],
          used: [{}],
        });
      }
    },
  );

  test.each([undefined, null, 7, '', '\u200b', 'x'.repeat(201), 'a\nb', '\ud800'])(
    'cannot name a record whose id is %j',
    (bad) => {
      expect(page({ ...record, [id]: bad }, other)).toMatchObject({ refused: [{ id: null }], used: [{}] });
    },
  );

  test.each([null, 7, 'text', []])('cannot name %j, and uses the other records', (bad) => {
    expect(page(bad, other)).toMatchObject({ refused: [{ id: null }], used: [{}] });
  });

  it('uses a record that is on it twice once', () => {
    expect(page(other, other)).toMatchObject({ refused: [{ id: idOf(9) }], used: [{}] });
  });

  it('is used but for the records that anything is wrong with', () => {
    const wrong = fc.tuple(
      fc.constantFrom(...Object.keys(record)),
      fc.oneof(fc.constant(undefined), fc.jsonValue(), fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' })),
    );
    fc.assert(
      fc.property(fc.array(fc.option(wrong), { maxLength: 20, size: 'max' }), (wrongs) => {
        const data = wrongs.map((bad, n) => ({ ...record, [id]: idOf(n), ...(bad && { [bad[0]]: bad[1] }) }));
        const { refused, used } = page(...data);
        expect(used.length + refused.length).toBe(data.length);
        expect(used.length).toBeGreaterThanOrEqual(wrongs.filter((bad) => bad === null).length);
        for (const { reason } of refused) expect(reason.length).toBeLessThan(100);
      }),
    );
  });
});

/** A record that nothing may read. */
const unread = new Proxy(
  {},
  {
    get: () => {
      throw new Error('the record was read');
    },
  },
);

test.each<[string, (body: unknown) => unknown]>([
  ...PAGES.map(({ name, parse }) => [name, parse] as [string, typeof parse]),
  ['slots', parseSlotPage({ limit: 1_000 })],
  ['payment methods', parsePaymentMethods],
  ['found submissions', parseFoundSubmission(REFERENCE)],
])('D65: a page of more than 1,000 %s is refused before its records are read', (_, parse) => {
  const data = Array.from({ length: 1_001 }, () => unread);
  expect(() => parse({ data, next_cursor: null })).toThrow(ContractViolation);
});

it('D65: an error that says nothing of the record leaves out no record', () => {
  const mistaken = mapped(record({}), () => {
    throw new TypeError('a mistake of this program');
  });
  expect(() => recordsOf({ data: [{}] }, 1, { record: mistaken, idName: 'id', id: identifier })).toThrow(TypeError);
});

describe('D65: the cursor of a roster page', () => {
  const [a, b] = [1, 2].map((n) => `0b0e7a52-4f7e-4bb1-9d5c-00000000000${n}`) as [UserId, UserId];
  const broken = (user_id: unknown) => ({ ...fixtures.creator, user_id, display_name: 7 });
  const cursor = (data: unknown[], next_cursor: unknown) =>
    parseRosterPage({ limit: 2, after: a })({ data, next_cursor }).nextCursor;

  it('advances past a last record that was left out', () => {
    expect(cursor([broken(b)], 'more')).toBe(b);
  });

  it("is the page's own if no record has a usable id, and if it advances", () => {
    expect(cursor([broken(7)], b)).toBe(b);
    expect(() => cursor([broken(7)], 'more')).toThrow(ContractViolation);
    expect(() => cursor([broken(7)], a)).toThrow(ContractViolation);
  });
});

describe('D65: of a creator', () => {
  const identity = (changes: object) => parseCreator(USER)({ ...fixtures.creator, ...changes }).identity;

  const many = <Item>(item: Item): Item[] => Array.from({ length: 2_000 }, () => item);
  const account = (username: string, profile_id?: string) => ({ platform: 'manyvids', username, profile_id });

  it('what follows any number of bad and repeated entries is used', () => {
    const { aliases, profiles } = identity({
      aliases: [...many(7), 'late'],
      profiles: [...many({}), ...many(account('mia')), account('eve', '2'), account('Mia', '1')],
    });
    expect(aliases).toEqual(['late']);
    expect(profiles).toEqual([
      { platform: 'manyvids', username: 'mia', profileId: null },
      { platform: 'manyvids', username: 'eve', profileId: '2' },
      { platform: 'manyvids', username: 'Mia', profileId: '1' },
    ]);
  });

  it('D66: the first 300 usable aliases and 60 accounts are used, in their order', () => {
    const names = Array.from({ length: 301 }, (_, n) => `name-${n}`);
    const { aliases, profiles } = identity({
      aliases: names.flatMap((name) => ['x'.repeat(161), name]),
      profiles: names.flatMap((name, n) => [{}, account(name, `${n}`), account(name.toUpperCase(), `${n}`)]),
    });
    expect(aliases).toEqual(names.slice(0, 300));
    const accounts = names.slice(0, 60).map((username, n) => ({ platform: 'manyvids', username, profileId: `${n}` }));
    expect(profiles).toEqual(accounts);
  });

  it.each([
    ['bad', 2_800_000, {}],
    ['bad by a character', 200_000, { platform: 'manyvids', username: '\n', profile_id: '\n' }],
    ['repeated', 250_000, { platform: 'x', username: 'mia' }],
  ])('as many %s entries as an answer has room for take less than a second of CPU', (_, length, entry) => {
    const entries = Array.from({ length }, () => entry);
    const began = process.threadCpuUsage();
    identity({ aliases: entries, profiles: entries });
    const { user, system } = process.threadCpuUsage(began);
    expect(user + system).toBeLessThan(1_000_000);
  });

  it('a bad alias is left out singly', () => {
    const aliases = ['first', 'x'.repeat(161), WIDE.repeat(160), 'tab\t', '\ud800', 7, null, '\u3164', 'last'];
    expect(identity({ aliases }).aliases).toEqual(['first', WIDE.repeat(160), 'last']);
  });

  it('D33: aliases are read in their one form, each once', () => {
    const aliases = ['Ame\u0301lie', 'Am\u00e9lie', ' Mia ', 'Mia', '\u200bMia', 'mia'];
    expect(identity({ aliases }).aliases).toEqual(['Am\u00e9lie', 'Mia', 'mia']);
  });

  it('D33, D66: repeats in another form do not count among the first 300', () => {
    const names = Array.from({ length: 301 }, (_, n) => `name-${n}`);
    expect(identity({ aliases: names.flatMap((name) => [name, ` ${name}`]) }).aliases).toEqual(names.slice(0, 300));
  });

  it.each(['', '\u3164', '\u2800 ', 'x'.repeat(161), 'a\u0000b', '\ud800'])(
    'in place of a bad name %j its first username is shown, or its user id',
    (display_name) => {
      const mia = { platform: 'x', username: 'mia' };
      const unusable = { platform: 'x', username: ' ' };
      expect(identity({ display_name, profiles: [unusable, mia, { ...mia, username: 'eve' }] }).displayName).toBe(
        'mia',
      );
      expect(identity({ display_name, profiles: [{ ...mia, username: 'x'.repeat(161) }] }).displayName).toBe(USER);
      expect(identity({ display_name, profiles: [] }).displayName).toBe(USER);
    },
  );

  it('D96: a blank id of an account is none, and a blank username no account', () => {
    const profiles = [account('mia', '\u200b'), account('\u3164', '12'), account('', '13')];
    expect(identity({ profiles }).profiles).toEqual([{ platform: 'manyvids', username: 'mia', profileId: null }]);
  });

  it('a bad profile is left out singly', () => {
    const bad = [
      7,
      null,
      { platform: 'x' },
      { platform: 'y\n', username: 'a' },
      { platform: 'y'.repeat(201), username: 'a' },
      { platform: 'y', username: 'x'.repeat(201) },
      { platform: 'y', username: 'a', profile_id: 'x'.repeat(201) },
    ];
    const good = [
      { platform: 'y'.repeat(200), username: 'a' },
      { platform: 'x', username: 'lea' },
    ];
    expect(identity({ profiles: [...bad, ...good] }).profiles).toEqual(
      good.map((profile) => ({ ...profile, profileId: null })),
    );
  });

  it('a profile that makes a URL is bounded by the URL, one that makes none by its names', () => {
    const longest = 'a'.repeat(2_048 - 'https://x.com/'.length);
    const profiles = [
      { platform: 'x', username: longest },
      { platform: 'x', username: `${longest}a` },
      { platform: 'x', username: longest.replaceAll('a', 'b'), profile_id: 'x'.repeat(201) },
      { platform: 'manyvids', username: 'a', profile_id: '1'.repeat(1_900) },
      { platform: 'manyvids', username: 'a', profile_id: '1'.repeat(2_048) },
      { platform: 'elsewhere', username: WIDE.repeat(200), profile_id: WIDE.repeat(200) },
    ];
    expect(identity({ profiles }).profiles).toHaveLength(3);
  });
});

describe('D65: a single read', () => {
  const long = 'x'.repeat(201);
  test.each<[string, (value: string) => unknown]>([
    ['agency name', (name) => parseAgency(agencyId('agency-1'))({ ...fixtures.agency, name })],
    ['capacity plan', (plan) => parseCapacity({ ...fixtures.capacity, plan })],
    ['subscription status', (subscription_status) => parseCapacity({ ...fixtures.capacity, subscription_status })],
    ['invitation id', (id) => parseInvitation(id)({ ...fixtures.invitation, id })],
    ['job id', (job_id) => parseJob(job_id)({ ...fixtures.scanJob, job_id })],
    ['submission id', (submission_id) => parseSubmissionOf(REFERENCE)({ ...submission, submission_id })],
  ])('that breaks the bound of its %s is no answer', (_, parse) => {
    expect(() => parse(long)).toThrow(ContractViolation);
    expect(() => parse('a\u0007')).toThrow(ContractViolation);
    expect(() => parse('\u2800')).toThrow(ContractViolation);
  });
});

test.each(['', ' ', '\u200b', '\u3164', '\u2800'])('D65, D96: a leak with the blank URL %j is left out', (url) => {
  const { leaks, refused } = parseLeakPage({ limit: 2 })({ data: [{ ...fixtures.leak, url }], next_cursor: null });
  expect([leaks.length, refused.length]).toEqual([0, 1]);
});

test('D96: a blank text in place of null reads as null', () => {
  const impersonations = { data: [{ ...fixtures.impersonation, username: '\u200b' }], next_cursor: null };
  expect(parseImpersonationPage({ limit: 1 })(impersonations).impersonations).toMatchObject([{ username: null }]);
  const data = [{ ...fixtures.activity, url: '', status: ' ' }];
  const page = parseActivityPage({ limit: 1 })({ data, next_cursor: null });
  expect(page.records).toMatchObject([{ url: null, status: null }]);
});

const REPORTED_URL = 'https://instagram.com/not_lea';
const reported = parseReportedImpersonation(REPORTED_URL);

test('D65: the answer to a report that was made is used with the reported URL in place of one above its bound', () => {
  const answered = (url: unknown) => reported({ ...fixtures.impersonation, url });
  const longest = 'https://instagram.com/'.padEnd(2_048, 'a');
  expect(answered(longest).url).toBe(longest);
  for (const url of [`${longest}/`, 'a\u0007', '\ud800', '\u200b']) expect(answered(url).url).toBe(REPORTED_URL);
  for (const url of [null, undefined, 1]) expect(() => answered(url)).toThrow(ContractViolation);
});

test('D65: the answer to a report that was made is used without a username above its bound', () => {
  const answered = (username: string | null) => reported({ ...fixtures.impersonation, username });
  expect(answered('a'.repeat(200)).username).toBe('a'.repeat(200));
  for (const username of ['a'.repeat(201), 'a\u0007', '\u200b', null]) expect(answered(username).username).toBeNull();
});

describe('D65: an error code', () => {
  test.each([
    ['engine.busy-2_x', 'engine.busy-2_x'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), 'unrecognized'],
    ['Engine', 'unrecognized'],
    ['engine busy', 'unrecognized'],
    ['', 'unrecognized'],
    ['\ud800', 'unrecognized'],
    ['"'.repeat(10_000), 'unrecognized'],
  ])('%j reads as %j wherever it comes from', (sent, read) => {
    expect(parseJobOf(fixtures.SCAN as ScanId)({ ...fixtures.scanJob, error_code: sent }).errorCode).toBe(read);
    expect(parseFoundSubmission(REFERENCE)({ data: [{ ...submission, error_code: sent }] })?.errorCode).toBe(read);
    const body = Buffer.from(JSON.stringify({ error: { code: sent, message: 'm' } }));
    expect(errorOf({ status: 422, retryAfter: undefined, body })).toEqual({ code: read });
  });
});
