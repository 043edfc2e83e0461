const PLATFORMS: Readonly<Record<string, string>> = {
  'onlyfans.com': 'onlyfans',
  'fansly.com': 'fansly',
  'fanvue.com': 'fanvue',
  'chaturbate.com': 'chaturbate',
  'stripchat.com': 'stripchat',
  'instagram.com': 'instagram',
  'x.com': 'x',
  'twitter.com': 'x',
  'mym.fans': 'mym',
  'mym.com': 'mym',
  'tiktok.com': 'tiktok',
  'manyvids.com': 'manyvids',
  'facebook.com': 'facebook',
  'reddit.com': 'reddit',
  'youtube.com': 'youtube',
  't.me': 'telegram',
};

/** Path words that precede an account's name. */
const PREFIXES = new Set(['en', 'fr', 'user', 'u', 'channel', 'c']);

interface Account {
  platform: string;
  username: string;
}

/** The account that an https URL on a supported social host names. */
export function accountAt(url: string): Account | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname, username: user, password } = new URL(url);
  const platform = PLATFORMS[host.replace(/^(www|m)\./, '')];
  if (protocol !== 'https:' || user || password || !platform) return undefined;
  const segments = pathname.split('/').filter((segment) => segment !== '' && !PREFIXES.has(segment.toLowerCase()));
  const name = platform === 'manyvids' ? segments[2] : segments[0];
  return name ? { platform, username: name.replace(/^@/, '') } : undefined;
}
