import {
  MAX_PROFILE_URL_LENGTH,
  PROFILE_HOSTS,
  parseProfileUrl,
  profileInShape,
  profileUrl,
  usernameProblem,
} from '#creators';
import { textProblem, withoutInvisible } from '#kernel';

const PARTS =
  /^(?:(?<scheme>[a-z][a-z\d+.-]*):)?(?:\/\/)?(?:(?<user>[^/?#]*)@)?(?<host>[^/?#:@]*)(?<port>:\d*)?(?<path>\/[^?#]*)?(?<query>\?[^#]*)?(?<fragment>#.*)?$/i;

type Parts = Readonly<Partial<Record<'scheme' | 'user' | 'host' | 'port' | 'path' | 'query' | 'fragment', string>>>;

/** Says why a profile URL is not valid, and what would be accepted (D98). */
export const profileUrlProblem = (url: string): string | undefined => {
  if (parseProfileUrl(url) !== undefined) return undefined;
  const problem = textProblem(url, MAX_PROFILE_URL_LENGTH);
  if (problem !== undefined) return problem;
  const visible = withoutInvisible(url);
  const parts = partsOf(visible);
  const reason = visible === url ? reasonAgainst(url, parts) : 'it contains a blank or an invisible character';
  const accepted = acceptedForm(parts);
  const remedy = accepted === undefined ? 'add the username to aliases' : `${accepted} would be accepted`;
  return `must be a supported profile URL: ${reason}; ${remedy}`;
};

/** A host without a scheme looks like a scheme if a port follows it. */
const partsOf = (url: string): Parts => PARTS.exec(url.includes('//') ? url : `//${url}`)?.groups ?? {};

const reasonAgainst = (url: string, { scheme, user, host, port, path = '', query, fragment }: Parts): string => {
  if (scheme?.toLowerCase() !== 'https') return 'it must begin with https://';
  if (user !== undefined) return 'it must not contain credentials';
  if (host === undefined || !PROFILE_HOSTS.includes(officialHost(host))) return 'its host is not supported';
  if (port !== undefined) return 'it must not contain a port';
  if (query !== undefined) return 'it must not contain a query';
  if (fragment !== undefined) return 'it must not contain a fragment';
  if (path.includes('%')) return 'its path must not be percent-encoded';
  const profile = profileInShape(url);
  if (profile !== undefined) return usernameProblem(profile) ?? 'it is not supported';
  const isOfficial = ['a', '@a', 'Profile/1/a'].some((other) => profileInShape(`https://${host}/${other}`));
  return isOfficial ? "its path is not a profile's path" : 'its host must be the official host of a platform';
};

/** Without the prefix that apps and phones put before a host. */
const officialHost = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^(?:www|m|mobile)\./, '')
    .replace(/\.$/, '')
    .replace(/^twitter\.com$/, 'x.com');

/** Punctuation of a sentence that ends with the URL. The lookbehind keeps the search linear. */
const END_OF_SENTENCE = /(?<![.,;:!?])[.,;:!?]+$/;

/** The same profile in its accepted form, if its platform and username are clear. */
const acceptedForm = ({ host = '', path: sent = '' }: Parts): string | undefined => {
  const segments = decoded(sent)
    .split('/')
    .filter((segment) => segment !== '');
  if (segments.some((segment) => /^\.+$/.test(segment))) return undefined;
  // MYM puts a language before the username.
  const [first = '', second = '', third = ''] = /^mym\./.test(officialHost(host))
    ? segments.filter((segment, n) => n > 0 || !/^[a-z]{2}$/i.test(segment))
    : segments;
  const paths = [first.replace(/^@/, ''), first, `${first}/${second}`, `Profile/${second}/${third}`];
  for (const origin of [officialHost(host), `www.${officialHost(host)}`]) {
    for (const path of paths) {
      const profile = parseProfileUrl(`https://${origin}/${path.replace(END_OF_SENTENCE, '')}`);
      if (profile !== undefined) return profileUrl(profile);
    }
  }
  return undefined;
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
