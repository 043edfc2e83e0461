import ipaddr from 'ipaddr.js';
import { addressProblem } from './address-rules.js';

export const MAX_TARGET_LENGTH = 2_048;

/** Which targets a webhook may have. A problem is worded so that it follows the name of its field. */
export interface TargetRules {
  /** What is wrong with the form of a URL, or undefined. */
  urlProblem(url: string): string | undefined;
  /** The kind of an address that must not be connected to, or undefined. */
  addressProblem(address: string): string | undefined;
}

/** D59: public HTTPS on port 443, and no form that two parsers could read differently. */
export const PUBLIC_TARGETS: TargetRules = {
  urlProblem: (text) => formProblem(text) ?? publicProblem(new URL(text), rawAuthority(text)),
  addressProblem,
};

/** D59: for development, without the rules for scheme, port and address. */
export const ANY_TARGETS: TargetRules = {
  urlProblem: (text) =>
    formProblem(text) ?? (/^https?:$/.test(new URL(text).protocol) ? undefined : 'must be http or https'),
  addressProblem: () => undefined,
};

/** A URL's host in the form of resolvers and sockets: IPv6 without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Names that never lead to a public host (RFC 6761, 6762, 7686, 8375, ICANN's `internal`). */
const SPECIAL_NAMES = /(?:^|\.)(?:localhost|local|internal|home\.arpa|onion|test|invalid|alt)$/;
/** At least two labels of letters, digits, hyphens and underscores; the last one is no number. */
const HOST_NAME = /^(?=.{1,253}$)(?:(?!-)[a-z0-9_-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)[a-z0-9-]{2,63}(?<!-)$/;

const formProblem = (text: string): string | undefined => {
  if (text.length > MAX_TARGET_LENGTH) return `must be at most ${MAX_TARGET_LENGTH} characters`;
  if (!/^[!-~]+$/.test(text)) {
    return 'must be printable ASCII without spaces; write an international name as xn--…, and escape other characters';
  }
  if (/[\\"<>^`{|}]/.test(text)) return 'must not hold a backslash, quote, bracket or another character to be escaped';
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return 'must be an absolute URL with a host';
  if (text.includes('#')) return 'must not have a fragment';
  if (rawAuthority(text).includes('@')) return 'must not hold credentials';
  return undefined;
};

const publicProblem = (url: URL, authority: string): string | undefined => {
  if (url.protocol !== 'https:') return 'must be https';
  if (url.port !== '') return 'must be on port 443';
  const host = hostOf(url);
  const isIPv6 = url.hostname.startsWith('[');
  if (isIPv6 || ipaddr.IPv4.isValidFourPartDecimal(host)) {
    // Some parsers read `0x7f.1`, `2130706433` and `127.0.0.1.` as addresses, others as names.
    if (!isIPv6 && authority.replace(/:\d*$/, '') !== host) return 'must write an address in four decimal parts';
    const problem = addressProblem(host);
    return problem && `must be on a public address; this one is ${problem}`;
  }
  if (authority.includes('%')) return 'must not hide its host in escapes';
  if (!HOST_NAME.test(host)) return 'must have a public host name, complete and without a dot at its end';
  return SPECIAL_NAMES.test(host) ? 'must have a public host name' : undefined;
};

const rawAuthority = (text: string): string => /^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
