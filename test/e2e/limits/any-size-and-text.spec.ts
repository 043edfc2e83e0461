import { randomUUID } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { comparedDocuments } from '#audit';
import type { Creator } from '#client';
import { ALL_PROJECTIONS } from '#contexts';
import type { CreatorId } from '#kernel';
import { ReadModelComparison } from '#projections';
import { erase } from '../../support/operator-actions.js';
import type { Agency } from '../support/agency.js';
import { Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';

// The largest records, on a machine that may be crowded.
jest.setTimeout(180_000);

const service = await startService({ env: { WEBHOOK_TARGETS: 'any' }, largeBytesPerSecond: 64 * 1024 * 1024 });

/** The bytes of a character in JSON, in JSON within JSON and after normalization are what sizes depend on. */
const PLAIN = ['a', '"', '\\', 'é', '漢', '🎵'];
const CHARACTERS = [...PLAIN, '\u2028', '\u{1D160}', '\u0958'];
const BAD_CHARACTERS = ['\n', '\u0000', '\u0085', '\ud800'];

/** A text of one character, often as long as its bound; now and then longer, or with something in it that none allows. */
const text = (bound: number) =>
  fc
    .record({
      character: fc.constantFrom(...CHARACTERS),
      length: fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 1, max: bound }) },
        { weight: 10, arbitrary: fc.constant(bound) },
        { weight: 1, arbitrary: fc.constant(bound + 1) },
      ),
      bad: fc.oneof({ weight: 40, arbitrary: fc.constant('') }, fc.constantFrom(...BAD_CHARACTERS)),
    })
    .map(({ character, length, bad }) => character.repeat(length) + bad);

/** A text that is accepted. */
const plainText = (bound: number) =>
  fc
    .record({ character: fc.constantFrom(...PLAIN), length: fc.integer({ min: 1, max: bound }) })
    .map(({ character, length }) => character.repeat(length));

/** Distinct texts, which a list keeps. */
const texts = (of: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .record({ seeds: fc.array(of, { minLength: 1, maxLength: 12 }), length: fc.nat(maxLength) })
    .map(({ seeds, length }) => Array.from({ length }, (_, n) => numbered(seeds[n % seeds.length] ?? '', n)));
const numbered = (seed: string, n: number) => `${n}${[...seed].slice(String(n).length).join('')}`;

const username = (length: number, n = 0) => `${'u'.repeat(Math.max(1, length - String(n).length))}${n}`;
const profileUrl = fc
  .record({
    host: fc.constantFrom('x.com', 'mym.com', 'onlyfans.com'),
    length: fc.constantFrom(3, 100, 300),
    n: fc.nat(9),
  })
  .map(({ host, length, n }) => `https://${host}/${username(length, n)}`);

const profile = fc.record({
  platform: fc.constantFrom('x', 'manyvids', 'elsewhere'),
  username: fc.oneof(fc.constantFrom(username(2_034), username(2_050), 'mia', 'MIA'), text(200)),
  profile_id: fc.oneof(fc.constant(null), fc.constant('17'), text(200)),
});

const finding = fc.record({ url: text(2_048), status: text(200) });
const impersonation = fc.record({ url: text(2_048), platform: text(200), username: fc.option(text(200)) });

interface Case {
  readonly native: {
    readonly display_name: string;
    readonly aliases: readonly string[];
    readonly profiles: readonly object[];
  };
  readonly leaks: readonly { readonly url: string; readonly status: string }[];
  readonly impersonations: readonly {
    readonly url: string;
    readonly platform: string;
    readonly username: string | null;
  }[];
  /** Comes before what makes the external id unlike any other. */
  readonly externalId: string;
  readonly enrollment: object;
  readonly changes: readonly object[];
}

/** Mostly one that is accepted, unless it is longer than 16 KiB or leaves too much. */
const body = (requiredKeys: ('display_name' | 'aliases' | 'profile_urls')[]): fc.Arbitrary<object> => {
  const of = (one: fc.Arbitrary<string>, aliases: number, profiles: number) =>
    fc.record(
      {
        display_name: one,
        aliases: texts(one, aliases),
        profile_urls: fc.array(profileUrl, { maxLength: profiles, size: 'max' }),
      },
      { requiredKeys },
    );
  return fc.oneof({ weight: 4, arbitrary: of(plainText(160), 30, 5) }, of(text(160), 31, 21));
};

const cases: fc.Arbitrary<Case> = fc.record({
  native: fc.record({
    display_name: text(160),
    aliases: texts(text(160), 320),
    profiles: fc.array(profile, { maxLength: 70, size: 'max' }),
  }),
  leaks: fc.array(finding, { maxLength: 6 }),
  impersonations: fc.array(impersonation, { maxLength: 4 }),
  externalId: text(164),
  enrollment: body(['display_name', 'aliases', 'profile_urls']),
  changes: fc.array(body([]), { maxLength: 3 }),
});

/** As much as D65 and D66 let one creator be, of one character; more of it is left out of the platform's record. */
const largest = (character: string, submitted = character): Case => {
  const names = (count: number, of: string, length = 160) =>
    Array.from({ length: count }, (_, n) => numbered(of.repeat(length), n));
  const other = (n: number) => ({
    platform: numbered(character.repeat(200), n),
    username: character.repeat(200),
    profile_id: character.repeat(200),
  });
  const official = (n: number) => ({ platform: 'x', username: username(2_034, n), profile_id: null });
  const isWide = Buffer.byteLength(character) > 3;
  return {
    native: {
      display_name: character.repeat(160),
      aliases: names(3_000, character),
      // Whichever is larger: as it is stored, or as it is announced.
      profiles: Array.from({ length: 70 }, (_, n) => (isWide ? other(n) : official(n))),
    },
    leaks: [1, 2, 3].map(() => ({ url: character.repeat(2_048), status: character.repeat(200) })),
    impersonations: [
      { url: character.repeat(2_048), platform: character.repeat(200), username: character.repeat(200) },
    ],
    externalId: character.repeat(164),
    enrollment: { display_name: submitted.repeat(160), aliases: [], profile_urls: [] },
    changes: [{ display_name: submitted.repeat(159) }],
  };
};

/** The agency's creator grows to the limits by what the agency itself sends. */
const grown: Case = {
  native: { display_name: 'Mia', aliases: [], profiles: [] },
  leaks: [],
  impersonations: [],
  externalId: 'grown',
  enrollment: { display_name: '"'.repeat(160), aliases: [], profile_urls: [] },
  changes: Array.from({ length: 21 }, (_, at) => ({
    aliases: Array.from({ length: 30 }, (__, n) => numbered('"'.repeat(155), 30 * at + n + 1_000)),
  })),
};

/** The largest enrollment that fits together with the largest record, of texts that grow when they are normalized. */
const composed: Case = {
  ...largest('🎵'),
  native: {
    display_name: '🎵'.repeat(160),
    aliases: Array.from({ length: 270 }, (_, n) => numbered('🎵'.repeat(160), n)),
    profiles: Array.from({ length: 56 }, (_, n) => ({
      platform: numbered('🎵'.repeat(200), n),
      username: '🎵'.repeat(200),
      profile_id: '🎵'.repeat(200),
    })),
  },
  enrollment: {
    display_name: '🎵'.repeat(160),
    aliases: Array.from({ length: 30 }, (_, n) => `${n}${'\u{1D160}'.repeat(52)}`),
    profile_urls: Array.from({ length: 4 }, (_, n) => `https://www.manyvids.com/Profile/${n}${'1'.repeat(2_000)}/u`),
  },
};

const isBounded = (value: string, bound: number) =>
  [...value].length <= bound && !/\p{Cc}/u.test(value) && value.isWellFormed();
const isUsable = (value: string, bound: number) => isBounded(value, bound) && value.trim() !== '';

const listening = async () => {
  const agency = await service.agency({ slots: 200 });
  const receiver = await Receiver.start();
  await agency.endpoint(receiver.url);
  return { agency, receiver };
};

/** Feed and webhooks hold the same events in whole. */
const expectDelivered = async ({ agency, receiver }: { agency: Agency; receiver: Receiver }) => {
  const announced = await agency.publishedEvents();
  expect(receiver.eventIds.toSorted()).toEqual(announced.map(({ id }) => id).toSorted());
  return announced;
};

test('D65, D66: everything accepted is recorded, published, delivered, listed, rebuilt and erased, and no agency slows down another', async () => {
  const loud = await listening();
  const quiet = await listening();
  const { agency } = loud;
  const { api } = agency;
  const accepted: Creator[] = [];

  const check = async ({ native, leaks, impersonations, externalId, enrollment, changes }: Case) => {
    loud.receiver.forget();
    const userId = await agency.user(native);
    for (const leak of leaks) await agency.leaks(userId, 1, leak);
    for (const one of impersonations) await agency.impersonations(userId, 1, one);

    const external_id = `${externalId}${userId}`;
    const enrolled = await api.enroll(agency.linkBody(userId, { ...enrollment, external_id }));
    expect([201, 400, 413]).toContain(enrolled.status);
    const creators = await api.roster();
    expect(creators.some(({ svc_user_id }) => svc_user_id === userId)).toBe(true);

    const invited = await api.enroll(agency.inviteBody({ ...enrollment, external_id: `${externalId}${randomUUID()}` }));
    // The platform has no data about an invitee yet, so the enrollment adds to nothing.
    expect(enrolled.status === 201 ? [201] : [201, 400, 413]).toContain(invited.status);

    const other = await quiet.agency.active();
    expect(other.protection_status).toBe('not_activated');
    expect(await quiet.agency.api.creator(other.id)).toMatchObject({ protection_status: 'active' });
    if (enrolled.status !== 201) return;

    const { id } = enrolled.body as Creator;
    accepted.push(enrolled.body as Creator);
    for (const change of changes) expect([200, 400, 413]).toContain((await api.patch(id, change)).status);
    const shown = await api.creator(id);
    expect(shown.aliases.length).toBeLessThanOrEqual(300);
    expect(shown.profile_urls.length).toBeLessThanOrEqual(60);
    expect((await api.protect(id, 'active')).status).toBe(200);
    expect((await api.queueScan(id, id)).status).toBe(202);

    const good = leaks.filter(({ url, status }) => isUsable(url, 2_048) && isUsable(status, 200));
    expect((await api.cases(id)).map(({ url }) => url).toSorted()).toEqual(good.map(({ url }) => url).toSorted());
    await service.quiet();
    const cloned = impersonations.filter(
      ({ url, platform, username: name }) =>
        isUsable(url, 2_048) && isUsable(platform, 200) && isBounded(name ?? '', 200),
    );
    expect(await api.impersonations(id)).toHaveLength(cloned.length);
    expect((await api.get(`/v1/creators/${id}/activity`)).status).toBe(200);
    expect((await api.get(`/v1/creators/${id}/report`)).status).toBe(200);

    // In the order of the feed: events of one moment may arrive in any order.
    const delivered = new Map(loud.receiver.events.map((event) => [event.id, event]));
    const announced = (await agency.publishedEvents())
      .filter(({ data }) => data.creator_id === id)
      .flatMap((event) => delivered.get(event.id) ?? []);
    const ofType = (type: string) => announced.filter((event) => event.type === type);
    expect(ofType('creator.updated').at(-1)?.data.creator).toMatchObject({
      display_name: shown.display_name,
      aliases: shown.aliases,
      profile_urls: shown.profile_urls,
    });
    expect(ofType('case.created')).toHaveLength(good.length);
    expect(ofType('protection.activated')).toHaveLength(1);
    const others = await expectDelivered(quiet);
    expect(
      others.filter(({ data, type }) => data.creator_id === other.id && type === 'protection.activated'),
    ).toHaveLength(1);
  };

  await fc.assert(fc.asyncProperty(cases, check), { numRuns: 4 });
  // The largest come last, as every list of creators reads them again, at a bounded rate.
  const examples = [grown, composed, ...['"', '🎵'].map((character) => largest(character))];
  for (const example of examples) await check(example);

  const delivered = await agency.deliveries();
  expect(delivered.every(({ status }) => status === 'delivered')).toBe(true);
  expect(delivered.map(({ eventId }) => eventId).toSorted()).toEqual(
    (await agency.publishedEvents()).map(({ id }) => id).toSorted(),
  );

  const { app, log, rebuild } = service.services;
  const roster = await api.roster();
  await rebuild.run(ALL_PROJECTIONS);
  const compared = await app.get(ReadModelComparison, { strict: false }).run(ALL_PROJECTIONS);
  expect(await comparedDocuments(log, compared.differences)).toEqual([]);
  expect(await api.roster()).toEqual(roster);

  const ofExamples = accepted.slice(-examples.length);
  for (const { id } of ofExamples) {
    await erase(service.services, id as CreatorId, 0);
    expect((await api.get(`/v1/creators/${id}`)).status).toBe(404);
  }
  await service.quiet();
  const erased = new Set(ofExamples.map(({ id }) => id));
  expect((await agency.publishedEvents()).filter(({ data }) => erased.has(data.creator_id))).toEqual([]);
  await expectDelivered(quiet);
});
