import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** An address of the public ranges that a cloud reserves for its own machines: Azure's wire server. */
const CLOUD_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** All of IPv6 that is assigned for public use. Mapped, compatible, translated and local forms are not in it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

const RANGE_NAMES: Readonly<Record<string, string>> = {
  rfc6052: 'NAT64',
  rfc6145: 'IPv4-translated',
  ipv4Mapped: 'IPv4-mapped',
};

/** The kind of an address that nothing may be sent to; undefined for a public one (D59). */
export const addressProblem = (text: string): string | undefined => {
  const address = parsed(text);
  if (address === undefined) return 'malformed';
  const range = address.range();
  if (range !== 'unicast') return RANGE_NAMES[range] ?? inWords(range);
  if (address instanceof ipaddr.IPv6) return ipv6Problem(address);
  return CLOUD_SERVICES.has(address.toString()) ? 'cloud service' : undefined;
};

const ipv6Problem = (address: InstanceType<typeof ipaddr.IPv6>): string | undefined => {
  if (!address.match(GLOBAL_UNICAST)) return 'reserved';
  const [, , , , high = 0, low] = address.parts;
  // RFC 5214: an interface identifier of a tunnel, which contains an IPv4 address of any kind.
  return (high & ~0x200) === 0 && low === 0x5efe ? 'ISATAP' : undefined;
};

/** Only the forms that a resolver and `URL` produce: no octal or short forms, no zones. */
const parsed = (text: string): Address | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return /^[0-9a-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
};

const inWords = (range: string): string => range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const MAX_TARGET_LENGTH = 2_048;

/** Which targets a webhook may have. A problem is worded so that it follows the name of its field. */
export interface TargetRules {
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
  if (/[\\"<>^`{|}]/.test(text))
    return 'must not contain a backslash, quote, bracket or another character that has to be escaped';
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return 'must be an absolute URL with a host';
  if (text.includes('#')) return 'must not have a fragment';
  if (rawAuthority(text).includes('@')) return 'must not contain credentials';
  return undefined;
};

const publicProblem = (url: URL, authority: string): string | undefined => {
  if (url.protocol !== 'https:') return 'must be https';
  if (url.port !== '') return 'must be on port 443';
  const host = hostOf(url);
  const isIPv6 = url.hostname.startsWith('[');
  if (isIPv6 || ipaddr.IPv4.isValidFourPartDecimal(host)) {
    // Some parsers read `0x7f.1`, `2130706433` and `127.0.0.1.` as addresses, others as names.
    if (!isIPv6 && authority.replace(/:\d*$/, '') !== host) return 'must write an IP address in four decimal parts';
    const problem = addressProblem(host);
    return problem && `must be on a public address; this one is ${problem}`;
  }
  if (authority.includes('%')) return 'must not escape characters of its host';
  if (!HOST_NAME.test(host)) return 'must have a public host name, in full and without a trailing dot';
  return SPECIAL_NAMES.test(host) ? 'must have a public host name' : undefined;
};

const rawAuthority = (text: string): string => /^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? '';
