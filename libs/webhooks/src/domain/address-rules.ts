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
