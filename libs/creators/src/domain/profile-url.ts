/** An account on a platform. */
export interface Profile {
  readonly platform: string;
  readonly username: string;
  /** The numeric id if the platform's URL has one, otherwise null. */
  readonly profileId: string | null;
}

interface PlatformRule {
  readonly name: string;
  /** Whether the username is the first segment of the path, where the platform's own pages are too. */
  readonly isFirstSegment: boolean;
  readonly pattern: RegExp;
  url(profile: Profile): string | undefined;
}

export const MAX_PROFILE_URL_LENGTH = 2_048;

/** D32: first path segments that are pages of the platform, not accounts. */
const RESERVED = new Set(
  'login signup register home explore search settings messages notifications help about terms privacy api p i intent share'.split(
    ' ',
  ),
);

const USERNAME = '(?<username>[A-Za-z0-9._~-]+)';

const oneSegment = (name: string, host: string): PlatformRule => ({
  name,
  isFirstSegment: true,
  pattern: new RegExp(`^https://(?:www\\.)?${host.replace('.', '\\.')}/${USERNAME}/?$`),
  url: ({ username }) => `https://${host}/${username}`,
});

/** D32: in the order in which the platform names them. */
const PLATFORMS: readonly PlatformRule[] = [
  oneSegment('onlyfans', 'onlyfans.com'),
  oneSegment('fansly', 'fansly.com'),
  oneSegment('fanvue', 'fanvue.com'),
  oneSegment('chaturbate', 'chaturbate.com'),
  oneSegment('stripchat', 'stripchat.com'),
  oneSegment('instagram', 'instagram.com'),
  oneSegment('x', 'x.com'),
  {
    name: 'mym',
    isFirstSegment: true,
    pattern: new RegExp(`^https://mym\\.(?:fans|com)/(?:(?:en|fr)/)?(?!(?:en|fr)/?$)${USERNAME}/?$`),
    url: ({ username }) => `https://mym.fans/${username}`,
  },
  {
    name: 'tiktok',
    isFirstSegment: false,
    pattern: new RegExp(`^https://www\\.tiktok\\.com/@${USERNAME}/?$`),
    url: ({ username }) => `https://www.tiktok.com/@${username}`,
  },
  {
    name: 'manyvids',
    isFirstSegment: false,
    pattern: new RegExp(`^https://www\\.manyvids\\.com/Profile/(?<id>[0-9]+)/${USERNAME}/?$`),
    url: ({ profileId, username }) =>
      profileId === null ? undefined : `https://www.manyvids.com/Profile/${profileId}/${username}`,
  },
];

const BY_NAME = new Map(PLATFORMS.map((platform) => [platform.name, platform]));

/** All shapes in one expression, for the OpenAPI document. `parseProfileUrl` also checks reserved words. */
export const PROFILE_URL_PATTERN = PLATFORMS.map(({ pattern }) => pattern.source.replaceAll(/\?<\w+>/g, '')).join('|');

/** Scheme and host are compared without case; everything after them is kept. */
const withLowerCaseOrigin = (url: string): string =>
  url.replace(/^[^/?#]*\/\/[^/?#]*/, (origin) => origin.toLowerCase());

/** The account that an official profile URL names, or undefined if the URL has no supported shape (D32). */
export const parseProfileUrl = (url: string): Profile | undefined => {
  if (url.length > MAX_PROFILE_URL_LENGTH) return undefined;
  const normal = withLowerCaseOrigin(url);
  for (const { name, isFirstSegment, pattern, url: urlOf } of PLATFORMS) {
    const { username, id } = pattern.exec(normal)?.groups ?? {};
    if (username === undefined) continue;
    const isReserved = isFirstSegment && RESERVED.has(username.toLowerCase());
    if (isReserved || /^\.+$/.test(username)) return undefined;
    const profile = { platform: name, username, profileId: id ?? null };
    // `mym.com` is answered as `mym.fans`, which is one character longer.
    return (urlOf(profile) ?? '').length > MAX_PROFILE_URL_LENGTH ? undefined : profile;
  }
  return undefined;
};

/** The key of an account: platform and username, without case (D32). */
const accountOf = ({ platform, username }: Profile): string => `${platform} ${username.toLowerCase()}`;

export const isSameAccount = (one: Profile, other: Profile): boolean => accountOf(one) === accountOf(other);

/** The first accounts, at most `most`, each once in its first spelling. An id that the first one lacks comes from a repeat. */
export const distinctProfiles = (profiles: Iterable<Profile>, most = Number.POSITIVE_INFINITY): Profile[] => {
  const distinct = new Map<string, Profile>();
  for (const profile of profiles) {
    const account = accountOf(profile);
    const first = distinct.get(account);
    if (first === undefined) {
      if (distinct.size < most) distinct.set(account, profile);
    } else if (first.profileId === null) distinct.set(account, { ...first, profileId: profile.profileId });
  }
  return [...distinct.values()];
};

/**
 * The normal URL of an account. Undefined for other platforms, if a required id is missing, and for a username that
 * the platform accepts but that makes no URL of a supported shape (D32).
 */
export const profileUrl = (profile: Profile): string | undefined => {
  const url = BY_NAME.get(profile.platform)?.url(profile);
  return url === undefined || parseProfileUrl(url) === undefined ? undefined : url;
};
