export interface Profile {
  readonly platform: string;
  readonly username: string;
  /** The numeric id if the platform's URL has one, otherwise null. */
  readonly profileId: string | null;
}

interface PlatformRule {
  readonly name: string;
  /** Without `www.`, which some platforms allow and others require. */
  readonly hosts: readonly string[];
  /** Pages of the platform in the place of usernames. */
  readonly reserved: ReadonlySet<string>;
  /** With any username. */
  readonly shape: RegExp;
  /** With the usernames that may be submitted, for documents: in RE2, which has no lookahead. */
  readonly pattern: string;
  url(profile: Profile): string | undefined;
}

export const MAX_PROFILE_URL_LENGTH = 2_048;
export const MAX_USERNAME_LENGTH = 100;

/** D32: first path segments that are pages of a platform, not accounts. */
const RESERVED =
  'login signup register home explore search settings messages notifications help about terms privacy api p i intent share';
const reservedWords = (more = '') => new Set(`${RESERVED} ${more}`.trim().split(' '));

const shaped = (origin: string, path: string) => ({
  shape: new RegExp(`^${origin}/${path}(?<username>[^/?#]+)/?$`),
  pattern: `^${origin}/${path.replaceAll(/\(\?!.*\)|\?<\w+>/g, '')}[A-Za-z0-9._-]{0,${MAX_USERNAME_LENGTH - 1}}[A-Za-z0-9_-]/?$`,
});

const oneSegment = (name: string, host: string, reserved = ''): PlatformRule => ({
  name,
  hosts: [host],
  reserved: reservedWords(reserved),
  ...shaped(`https://(?:www\\.)?${host.replace('.', '\\.')}`, ''),
  url: ({ username }) => `https://${host}/${username}`,
});

/** D32: in the order in which the platform names them. */
const PLATFORMS: readonly PlatformRule[] = [
  oneSegment('onlyfans', 'onlyfans.com', 'my posts bookmarks collections'),
  oneSegment('fansly', 'fansly.com'),
  oneSegment('fanvue', 'fanvue.com'),
  oneSegment('chaturbate', 'chaturbate.com', 'female-cams male-cams couple-cams trans-cams tags auth accounts'),
  oneSegment('stripchat', 'stripchat.com'),
  oneSegment('instagram', 'instagram.com', 'stories reel reels tv accounts direct'),
  oneSegment('x', 'x.com', 'hashtag compose'),
  {
    name: 'mym',
    hosts: ['mym.fans', 'mym.com'],
    reserved: reservedWords(),
    ...shaped('https://mym\\.(?:fans|com)', '(?:(?:en|fr)/)?(?!(?:en|fr)/?$)'),
    url: ({ username }) => `https://mym.fans/${username}`,
  },
  {
    name: 'tiktok',
    hosts: ['tiktok.com'],
    reserved: reservedWords(),
    ...shaped('https://www\\.tiktok\\.com', '@'),
    url: ({ username }) => `https://www.tiktok.com/@${username}`,
  },
  {
    name: 'manyvids',
    hosts: ['manyvids.com'],
    reserved: reservedWords(),
    ...shaped('https://www\\.manyvids\\.com', 'Profile/(?<id>[0-9]+)/'),
    url: ({ profileId, username }) =>
      /^[0-9]+$/.test(profileId ?? '') ? `https://www.manyvids.com/Profile/${profileId}/${username}` : undefined,
  },
];

const BY_NAME = new Map(PLATFORMS.map((platform) => [platform.name, platform]));

export const PROFILE_HOSTS: readonly string[] = PLATFORMS.flatMap(({ hosts }) => hosts);

/** All shapes in one expression, for the OpenAPI document. `parseProfileUrl` also checks reserved words. */
export const PROFILE_URL_PATTERN = PLATFORMS.map(({ pattern }) => pattern).join('|');

const withLowerCaseOrigin = (url: string): string =>
  url.replace(/^[^/?#]*\/\/[^/?#]*/, (origin) => origin.toLowerCase());

/** The account that a URL of a supported shape names, with any username. */
export const profileInShape = (url: string): Profile | undefined => {
  if (url.length > MAX_PROFILE_URL_LENGTH) return undefined;
  const normal = withLowerCaseOrigin(url);
  for (const { name, shape } of PLATFORMS) {
    const { username, id = null } = shape.exec(normal)?.groups ?? {};
    if (username !== undefined) return { platform: name, username, profileId: id };
  }
  return undefined;
};

/** The problem of a submitted username; usernames that a platform holds may break these rules (D32). */
export const usernameProblem = ({ platform, username }: Profile): string | undefined => {
  if (!/^[A-Za-z0-9._-]+$/.test(username))
    return 'the username may contain only ASCII letters, digits, ".", "_" and "-"';
  if (username.length > MAX_USERNAME_LENGTH) return `the username must be at most ${MAX_USERNAME_LENGTH} characters`;
  if (username.endsWith('.')) return 'the username must not end in a period';
  if (platform === 'instagram' && username.includes('..')) return 'the username must not contain two periods in a row';
  if (BY_NAME.get(platform)?.reserved.has(username.toLowerCase())) return 'it is a page of the platform, not a profile';
  return undefined;
};

/** The account that an official profile URL names, or undefined for a URL that cannot be submitted (D32). */
export const parseProfileUrl = (url: string): Profile | undefined => {
  const profile = profileInShape(url);
  return profile === undefined || usernameProblem(profile) !== undefined ? undefined : profile;
};

/** Platforms return their usernames, which may contain a tilde or end in a period. */
const HELD_USERNAME = /^(?!\.+$)[A-Za-z0-9._~-]+$/;

/** Undefined for other platforms, if a required id is missing or no number, or if no supported shape results (D32). */
export const profileUrl = (profile: Profile): string | undefined => {
  const rule = BY_NAME.get(profile.platform);
  const url = HELD_USERNAME.test(profile.username) ? rule?.url(profile) : undefined;
  return url !== undefined && url.length <= MAX_PROFILE_URL_LENGTH && rule?.shape.test(url) ? url : undefined;
};

/** The key of an account (D32). One that makes no URL is never the same as one that does (D75). */
export const accountOf = (profile: Profile): string => {
  const { platform, username, profileId } = profile;
  const hasUrl = profileUrl(profile) !== undefined;
  return `${hasUrl} ${platform} ${hasUrl && platform === 'manyvids' ? profileId : username.toLowerCase()}`;
};

export const isSameAccount = (one: Profile, other: Profile): boolean => accountOf(one) === accountOf(other);

/** The first accounts, at most `most`, each once in its first spelling. */
export const distinctProfiles = (profiles: Iterable<Profile>, most = Number.POSITIVE_INFINITY): Profile[] => {
  const distinct = new Map<string, Profile>();
  for (const profile of profiles) {
    if (distinct.size === most) break;
    const account = accountOf(profile);
    if (!distinct.has(account)) distinct.set(account, profile);
  }
  return [...distinct.values()];
};
