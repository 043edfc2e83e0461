import { expect, test } from '@jest/globals';
import { bodyOf } from '../support/api-client.js';
import { refusedFields } from '../support/exchange.js';
import type { Creator } from '../support/resources.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const agency = await service.agency({ slots: 100 });
const { api } = agency;

const refused = async (change: object) => refusedFields(await api.enroll(agency.inviteBody(change)));

test.each(['workspace_id', 'external_id', 'display_name'])('%s is required', async (field) => {
  expect(await refused({ [field]: undefined })).toEqual([field]);
});

test.each([
  ['workspace_id', 200],
  ['external_id', 200],
  ['display_name', 160],
  ['first_name', 100],
  ['last_name', 100],
])('%s has at most %i code points (D7)', async (field, most) => {
  const { outcome } = await api.enroll(agency.inviteBody({ [field]: '𝒜'.repeat(most) }));
  expect(outcome).toBe(field === 'workspace_id' ? '404 not_found' : '201');
  expect(await refused({ [field]: '𝒜'.repeat(most + 1) })).toEqual([field]);
});

test.each(['external_id', 'display_name', 'first_name', 'last_name', 'email', 'locale', 'workspace_id'])(
  '%s is a string that is neither blank nor holds control characters (D7)',
  async (field) => {
    for (const value of [null, 1, true, [], {}, ['x'], '', '  \t ', 'a\u0000b', 'a\u007fb', 'line\nfeed', '\ud800']) {
      expect(await refused({ [field]: value })).toEqual([field]);
    }
  },
);

test.each(['ivy', 'ivy@', '@example.com', 'ivy@example', 'ivy@@example.com', 'iv y@example.com'])(
  'the email address %s is 400',
  async (email) => {
    expect(await refused({ email })).toEqual(['email']);
  },
);

test('an email address has at most 254 characters', async () => {
  const local = 'i'.repeat(64);
  const longest = `${local}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(254 - 64 - 1 - 128 - 4)}.com`;
  expect(longest).toHaveLength(254);
  expect((await api.enroll(agency.inviteBody({ email: longest }))).outcome).toBe('201');
  expect(await refused({ email: longest.replace('.com', 'd.com') })).toEqual(['email']);
});

test('locale is en or fr', async () => {
  expect(await refused({ locale: 'de' })).toEqual(['locale']);
  for (const locale of ['en', 'fr']) expect((await api.enroll(agency.inviteBody({ locale }))).outcome).toBe('201');
});

test('aliases are up to 30 of up to 160 code points', async () => {
  const aliases = Array.from({ length: 30 }, (_, at) => `${at}`.padEnd(160, 'x'));
  expect((await api.enroll(agency.inviteBody({ aliases }))).outcome).toBe('201');
  expect(await refused({ aliases: [...aliases, 'one more'] })).toEqual(['aliases']);
  // D83: 81 letters that NFC makes 162, too.
  for (const wrong of ['x'.repeat(161), '\u0958'.repeat(81), '', null, 1, {}])
    expect(await refused({ aliases: [wrong] })).toEqual(['aliases[0]']);
  expect(await refused({ aliases: 'ivy' })).toEqual(['aliases']);
  expect(await refused({ aliases: null })).toEqual(['aliases']);
});

test('profile_urls are up to 20', async () => {
  const profile_urls = Array.from({ length: 20 }, (_, at) => `https://x.com/ivy${at}`);
  expect((await api.enroll(agency.inviteBody({ profile_urls }))).outcome).toBe('201');
  expect(await refused({ profile_urls: [...profile_urls, 'https://x.com/ivy'] })).toEqual(['profile_urls']);
});

test.each([
  ['https://www.onlyfans.com/Ivy', 'https://onlyfans.com/Ivy'],
  ['https://FANSLY.com/ivy/', 'https://fansly.com/ivy'],
  ['https://mym.com/fr/ivy', 'https://mym.fans/ivy'],
  ['https://mym.fans/en/ivy/', 'https://mym.fans/ivy'],
  ['https://www.tiktok.com/@ivy.vale', 'https://www.tiktok.com/@ivy.vale'],
  ['https://www.manyvids.com/Profile/123/ivy', 'https://www.manyvids.com/Profile/123/ivy'],
])('the profile %s is answered as %s (D32)', async (url, shown) => {
  const creator = bodyOf<Creator>(await api.enroll(agency.inviteBody({ profile_urls: [url] })));
  expect(creator.profile_urls).toEqual([shown]);
});

test.each([
  'http://x.com/ivy',
  'https://x.com:443/ivy',
  'https://ivy@x.com/ivy',
  'https://x.com/ivy?lang=en',
  'https://x.com/ivy#top',
  'https://x.com/iv%79',
  'https://x.com/ivy/media',
  'https://x.com/',
  'https://x.com/home',
  'https://instagram.com/Explore',
  'https://tiktok.com/@ivy',
  'https://www.tiktok.com/ivy',
  'https://www.manyvids.com/Profile/ivy/ivy',
  'https://mym.fans/de/ivy',
  'https://facebook.com/ivy',
  'https://onlyfans.com.example.org/ivy',
  'https://x.com/..',
  ' https://x.com/ivy',
  `https://x.com/${'i'.repeat(2_048)}`,
])('the profile %s is 400 (D32)', async (url) => {
  expect(await refused({ profile_urls: [url] })).toEqual(['profile_urls[0]']);
});

test('one answer names every invalid field', async () => {
  expect((await refused({ email: 'x', locale: 'de', surname: 'Vale' })).toSorted()).toEqual([
    'email',
    'locale',
    'surname',
  ]);
});

test('either a user, or email and names; both or neither is 400 (D23)', async () => {
  const userId = await agency.user();
  const link = agency.linkBody(userId);
  expect(refusedFields(await api.enroll({ ...link, svc_user_id: undefined }))).toEqual([
    'email',
    'first_name',
    'last_name',
  ]);
  for (const extra of [{ email: 'i@example.com' }, { first_name: 'Ivy' }, { last_name: 'Vale' }, { locale: 'en' }]) {
    expect(refusedFields(await api.enroll({ ...link, ...extra }))).toEqual(Object.keys(extra));
  }
  expect(await refused({ last_name: undefined })).toEqual(['last_name']);
  expect(refusedFields(await api.enroll({ ...link, svc_user_id: 'ivy' }))).toEqual(['svc_user_id']);
});

test('an external id that begins with svc: is 400 unless it is the automatic one of that user (D25)', async () => {
  const userId = await agency.user();
  const external_id = `svc:${crypto.randomUUID()}`;
  expect(await refused({ external_id })).toEqual(['external_id']);
  expect(refusedFields(await api.enroll(agency.linkBody(userId, { external_id })))).toEqual(['external_id']);
  const own = await api.enroll(agency.linkBody(userId, { external_id: `svc:${userId}` }));
  expect(own.outcome).toBe('201');
});
