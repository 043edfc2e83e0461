import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  distinctProfiles,
  MAX_PROFILE_URL_LENGTH,
  PROFILE_URL_PATTERN,
  type Profile,
  parseProfileUrl,
  profileInShape,
  profileUrl,
  usernameProblem,
} from './profile-url.js';

/** D32: one username segment after the host. */
const ONE_SEGMENT = [
  ['onlyfans', 'onlyfans.com'],
  ['fansly', 'fansly.com'],
  ['fanvue', 'fanvue.com'],
  ['chaturbate', 'chaturbate.com'],
  ['stripchat', 'stripchat.com'],
  ['instagram', 'instagram.com'],
  ['x', 'x.com'],
] as const;

const RESERVED =
  'login signup register home explore search settings messages notifications help about terms privacy api p i intent share'.split(
    ' ',
  );

const account = (platform: string, username: string, profileId: string | null = null): Profile => ({
  platform,
  username,
  profileId,
});

const normalized = (url: string): string | undefined => {
  const profile = parseProfileUrl(url);
  return profile && profileUrl(profile);
};

describe.each(ONE_SEGMENT)('a profile URL of %s', (name, host) => {
  const url = `https://${host}/Mia_Rose`;

  it('D32: is its official host and one username', () => {
    expect(parseProfileUrl(url)).toEqual(account(name, 'Mia_Rose'));
  });

  it.each([
    ['with www.', `https://www.${host}/Mia_Rose`],
    ['with a trailing slash', `https://${host}/Mia_Rose/`],
    ['with both', `https://www.${host}/Mia_Rose/`],
    ['with scheme and host in capitals', `HTTPS://WWW.${host.toUpperCase()}/Mia_Rose`],
  ])('D32: is accepted %s, and answered in the one normal form', (_how, variant) => {
    expect(normalized(variant)).toBe(url);
  });

  it.each([
    ['http', `http://${host}/mia`],
    ['another scheme', `ftp://${host}/mia`],
    ['no scheme', `${host}/mia`],
    ['a relative scheme', `//${host}/mia`],
    ['a script', `javascript:https://${host}/mia`],
    ['the default port', `https://${host}:443/mia`],
    ['another port', `https://${host}:8443/mia`],
    ['an empty port', `https://${host}:/mia`],
    ['a user', `https://mia@${host}/mia`],
    ['a user and password', `https://mia:pw@${host}/mia`],
    ['an empty user', `https://@${host}/mia`],
    ['a query', `https://${host}/mia?ref=1`],
    ['an empty query', `https://${host}/mia?`],
    ['a fragment', `https://${host}/mia#top`],
    ['an empty fragment', `https://${host}/mia#`],
    ['percent-encoding', `https://${host}/m%69a`],
    ['a percent-encoded slash', `https://${host}/mia%2F`],
    ['a percent-encoded host', `https://${host.replace('.', '%2e')}/mia`],
    ['no username', `https://${host}/`],
    ['no path', `https://${host}`],
    ['a second segment', `https://${host}/mia/photos`],
    ['a doubled slash before the username', `https://${host}//mia`],
    ['a doubled slash after it', `https://${host}/mia//`],
    ['an @ before the username', `https://${host}/@mia`],
    ['a dot segment', `https://${host}/.`],
    ['a parent segment', `https://${host}/..`],
    ['a parent segment with a slash', `https://${host}/../`],
    ['a path that climbs', `https://${host}/mia/../eve`],
    ['a backslash', `https://${host}\\mia`],
    ['backslashes for slashes', `https:\\\\${host}\\mia`],
    ['a third slash', `https:///${host}/mia`],
    ['a single slash', `https:/${host}/mia`],
    ['a space before it', ` https://${host}/mia`],
    ['a space after it', `https://${host}/mia `],
    ['a line end after it', `https://${host}/mia\n`],
    ['a tab within', `https://${host}/m\tia`],
    ['a space within', `https://${host}/mia rose`],
    ['a letter that is not ASCII', `https://${host}/mía`],
    ['a semicolon', `https://${host}/mia;v=1`],
    ['a comma', `https://${host}/mia,eve`],
    ['a colon', `https://${host}/mia:eve`],
    ['another subdomain', `https://m.${host}/mia`],
    ['www. twice', `https://www.www.${host}/mia`],
    ['a dot after the host', `https://${host}./mia`],
    ['the host as the beginning of another', `https://${host}.evil.example/mia`],
    ['the host as the end of another', `https://evil${host}/mia`],
    ['the host as the end of another, with a hyphen', `https://www-${host}/mia`],
    ['any character for the dot', `https://${host.replace('.', 'x')}/mia`],
    ['another country', `https://${host}.fr/mia`],
    ['the host as a path', `https://evil.example/${host}/mia`],
    ['the host as a user', `https://${host}@evil.example/mia`],
    ['the host in a fragment', `https://evil.example/#https://${host}/mia`],
    ['a full stop that looks the same', `https://${host.replace('.', '。')}/mia`],
  ])('D32: is refused with %s', (_what, refused) => {
    expect(parseProfileUrl(refused)).toBeUndefined();
  });

  it.each(RESERVED)('D32: /%s is a page of the platform and no account', (page) => {
    expect(parseProfileUrl(`https://${host}/${page}`)).toBeUndefined();
    expect(parseProfileUrl(`https://www.${host}/${page.toUpperCase()}/`)).toBeUndefined();
  });

  it('D32: a reserved word may be a part of a username', () => {
    expect(parseProfileUrl(`https://${host}/login.mia`)).toEqual(account(name, 'login.mia'));
    expect(parseProfileUrl(`https://${host}/pp`)).toEqual(account(name, 'pp'));
  });
});

describe('a profile URL of mym', () => {
  it.each([
    'https://mym.fans/MiaRose',
    'https://mym.com/MiaRose',
    'https://mym.fans/en/MiaRose',
    'https://mym.fans/fr/MiaRose',
    'https://mym.com/en/MiaRose/',
    'https://mym.com/fr/MiaRose',
    'HTTPS://MYM.COM/MiaRose/',
  ])('D32: %s is answered with the first host and without the language', (url) => {
    expect(parseProfileUrl(url)).toEqual(account('mym', 'MiaRose'));
    expect(normalized(url)).toBe('https://mym.fans/MiaRose');
  });

  it.each([
    'https://www.mym.fans/MiaRose',
    'https://mym.fans/de/MiaRose',
    'https://mym.fans/en/fr/MiaRose',
    'https://mym.fans/en',
    'https://mym.fans/fr/',
    'https://mym.fans/en/en',
    'https://mym.fans/fr/en/',
    'https://mym.fans/en/login',
    'https://mym.fans/login',
    'https://mym.fans/en//MiaRose',
    'https://mym.net/MiaRose',
    'https://mymxfans/MiaRose',
    'https://mym.fans/MiaRose/en',
    'https://mym.fans/@MiaRose',
  ])('D32: %s is refused', (url) => {
    expect(parseProfileUrl(url)).toBeUndefined();
  });

  it('a username may begin like a language', () => {
    expect(parseProfileUrl('https://mym.fans/english')).toEqual(account('mym', 'english'));
    expect(parseProfileUrl('https://mym.fans/fr/frida')).toEqual(account('mym', 'frida'));
  });
});

describe('a profile URL of tiktok', () => {
  it.each([
    'https://www.tiktok.com/@mia.rose',
    'https://www.tiktok.com/@mia.rose/',
    'HTTPS://WWW.TikTok.com/@mia.rose',
  ])('D32: %s is accepted', (url) => {
    expect(parseProfileUrl(url)).toEqual(account('tiktok', 'mia.rose'));
    expect(normalized(url)).toBe('https://www.tiktok.com/@mia.rose');
  });

  it.each([
    'https://tiktok.com/@mia',
    'https://m.tiktok.com/@mia',
    'https://vm.tiktok.com/@mia',
    'https://www.tiktok.com/mia',
    'https://www.tiktok.com/@',
    'https://www.tiktok.com/@@mia',
    'https://www.tiktok.com/%40mia',
    'https://www.tiktok.com/@mia/video/1',
    'https://www.tiktok.com/@mia?lang=en',
    'https://www.tiktok.com/explore',
    'https://www.tiktok.com/@..',
    'https://www.tiktok.com/@login',
  ])('D32: %s is refused', (url) => {
    expect(parseProfileUrl(url)).toBeUndefined();
  });
});

describe('a profile URL of manyvids', () => {
  it.each([
    'https://www.manyvids.com/Profile/1001234/MiaRose',
    'https://www.manyvids.com/Profile/1001234/MiaRose/',
    'https://WWW.ManyVids.com/Profile/1001234/MiaRose',
  ])('D32: %s is accepted, with its numeric id', (url) => {
    expect(parseProfileUrl(url)).toEqual(account('manyvids', 'MiaRose', '1001234'));
    expect(normalized(url)).toBe('https://www.manyvids.com/Profile/1001234/MiaRose');
  });

  it('keeps an id as it is written, not as a number', () => {
    const id = '00123456789012345678901';
    expect(parseProfileUrl(`https://www.manyvids.com/Profile/${id}/mia`)).toEqual(account('manyvids', 'mia', id));
  });

  it.each([
    'https://manyvids.com/Profile/1/mia',
    'https://www.manyvids.com/profile/1/mia',
    'https://www.manyvids.com/Profile/mia',
    'https://www.manyvids.com/Profile/1',
    'https://www.manyvids.com/Profile/1/',
    'https://www.manyvids.com/Profile//mia',
    'https://www.manyvids.com/Profile/1a/mia',
    'https://www.manyvids.com/Profile/-1/mia',
    'https://www.manyvids.com/Profile/١/mia',
    'https://www.manyvids.com/Profile/1/mia/Store',
    'https://www.manyvids.com/mia',
    'https://www.manyvids.com/Profile/1/mia?x=1',
    'https://www.manyvids.com/Profile/1/login',
  ])('D32: %s is refused', (url) => {
    expect(parseProfileUrl(url)).toBeUndefined();
  });
});

describe('a URL that is no profile', () => {
  it.each(['', 'mia', 'https://', 'https://example.com/mia', 'https://twitter.com/mia', 'https://facebook.com/mia'])(
    'D32: %j is refused',
    (url) => {
      expect(parseProfileUrl(url)).toBeUndefined();
    },
  );

  it('an address over 2,048 characters is refused', () => {
    const id = '1'.repeat(MAX_PROFILE_URL_LENGTH - 'https://www.manyvids.com/Profile//a'.length);
    const longest = `https://www.manyvids.com/Profile/${id}/a`;
    expect(longest).toHaveLength(2_048);
    expect(parseProfileUrl(longest)).toBeDefined();
    expect(parseProfileUrl(`${longest}a`)).toBeUndefined();
  });
});

describe('a username that is submitted (D32)', () => {
  it.each([
    ['x', 'a'.repeat(100)],
    ['instagram', 'talia.moss'],
    ['x', 'a..b'],
    ['x', 'stories'],
    ['instagram', 'hashtag'],
    ['fansly', 'bookmarks'],
    ['onlyfans', '.mia'],
  ])('on %s may be %s', (platform, username) => {
    expect(parseProfileUrl(profileUrl(account(platform, username)) ?? '')).toEqual(account(platform, username));
  });

  it.each([
    ['x', 'a'.repeat(101)],
    ['instagram', 'talia.moss.'],
    ['x', 'mia.'],
    ['instagram', 'talia..moss'],
    ['x', 'mia~rose'],
    ['instagram', 'stories'],
    ['instagram', 'Reels'],
    ['x', 'hashtag'],
    ['x', 'COMPOSE'],
    ['onlyfans', 'my'],
    ['onlyfans', 'collections'],
    ['chaturbate', 'female-cams'],
    ['chaturbate', 'accounts'],
  ])('on %s cannot be %s, and is shown where the platform holds it', (platform, username) => {
    const url = profileUrl(account(platform, username));
    expect(url).toBeDefined();
    expect(parseProfileUrl(url ?? '')).toBeUndefined();
    expect(usernameProblem(account(platform, username))).toEqual(expect.any(String));
  });

  it('ends in the expression for documents as it does here', () => {
    const pattern = new RegExp(PROFILE_URL_PATTERN);
    const submitted = fc.stringMatching(/^[A-Za-z0-9._~-]{1,110}$/).map((name) => `https://fansly.com/${name}`);
    fc.assert(
      fc.property(submitted, (url) => {
        if (parseProfileUrl(url) !== undefined) expect(url).toMatch(pattern);
        else if (!RESERVED.includes(url.slice('https://fansly.com/'.length).toLowerCase()))
          expect(url).not.toMatch(pattern);
      }),
    );
  });
});

describe('accounts that are named more than once', () => {
  it('D32: are one by platform and username without case, on manyvids by the id, in its first spelling and place', () => {
    const [mia, eve] = [account('x', 'Mia'), account('x', 'eve')];
    const [clip, other] = [account('manyvids', 'mia', '12'), account('manyvids', 'Mia', '13')];
    const repeats = [mia, account('x', 'MIA'), clip, eve, other, account('manyvids', 'renamed', '12'), mia];
    expect(distinctProfiles(repeats)).toEqual([mia, clip, eve, other]);
  });

  it.each([
    ['manyvids', 'mia', null, 'mia', '12'],
    ['manyvids', 'mia', '', 'mia', '12'],
    ['manyvids', 'mia', '\u0661', 'mia', '12'],
    ['x', '\u212aate', null, 'kate', null],
  ])(
    'D75: on %s %j with the id %j makes no URL, and is not the same as one that does',
    (platform, name, id, good, its) => {
      const both = [account(platform, name, id), account(platform, good, its)];
      expect(distinctProfiles(both)).toEqual(both);
    },
  );

  it('D66: are the first ones up to a limit', () => {
    const [eve, clip] = [account('x', 'eve'), account('manyvids', 'mia', '12')];
    expect(distinctProfiles([clip, eve, account('x', 'leo'), clip], 2)).toEqual([clip, eve]);
  });

  it('D32: one username on two platforms is two accounts', () => {
    const both = [account('x', 'mia'), account('instagram', 'mia')];
    expect(distinctProfiles(both)).toEqual(both);
  });
});

describe('the normal URL of an account', () => {
  it('D32: keeps the case of the username', () => {
    expect(profileUrl(account('instagram', 'Mia.ROSE'))).toBe('https://instagram.com/Mia.ROSE');
  });

  it.each(['facebook', 'OnlyFans', '', 'constructor', '__proto__'])('D32: platform %j has none', (platform) => {
    expect(profileUrl(account(platform, 'mia'))).toBeUndefined();
  });

  it('D32: manyvids without its id has none', () => {
    expect(profileUrl(account('manyvids', 'mia'))).toBeUndefined();
  });

  it.each(['mia rose', 'mía', '@mia', 'mia/photos', 'mia?x=1', '..', '', 'x'.repeat(2_048)])(
    'D32: the username %j has none: what it would make is no official profile URL',
    (username) => {
      expect(profileUrl(account('x', username))).toBeUndefined();
    },
  );

  it('an id that the URL cannot hold is left out', () => {
    expect(profileUrl(account('fansly', 'mia', '77'))).toBe('https://fansly.com/mia');
  });

  it('is in shape for the same account, for any platform and username', () => {
    const username = fc
      .stringMatching(/^[A-Za-z0-9._~-]{1,40}$/)
      .filter((text) => !/^\.+$/.test(text) && !/^(en|fr)$/.test(text));
    const profile = fc.oneof(
      fc.record({
        platform: fc.constantFrom(...ONE_SEGMENT.map(([name]) => name), 'mym', 'tiktok'),
        username,
        profileId: fc.constant(null),
      }),
      fc.record({ platform: fc.constant('manyvids'), username, profileId: fc.stringMatching(/^[0-9]{1,12}$/) }),
    );
    fc.assert(
      fc.property(profile, (known) => {
        expect(profileInShape(profileUrl(known) ?? '')).toEqual(known);
      }),
    );
  });

  it('of any accepted URL is accepted, and stays the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string().map((path) => `https://www.x.com/${path}`),
        ),
        (url) => {
          const once = normalized(url);
          if (once !== undefined) expect(normalized(once)).toBe(once);
        },
      ),
    );
  });
});
