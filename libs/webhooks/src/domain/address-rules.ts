import ipaddr from 'ipaddr.js';

type Address = ReturnType<typeof ipaddr.parse>;

/** Addresses of the public ranges behind which a cloud keeps what is for its own machines: Azure's wire server. */
const CLOUD_SERVICES: ReadonlySet<string> = new Set(['168.63.129.16']);

/** All that is handed out of IPv6 for use in public; mapped, compatible, translated and local forms lie outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ranges whose name in the library is that of a document. */
const RANGE_NAMES: Readonly<Record<string, string>> = {
  rfc6052: 'NAT64',
  rfc6145: 'IPv4-translated',
  ipv4Mapped: 'IPv4-mapped',
};

/** Of what kind an address is that nothing may be sent to, or undefined where it is a public one (D59). */
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
  // RFC 5214: an interface identifier that is a tunnel's, with an IPv4 address of any kind behind it.
  return (high & ~0x200) === 0 && low === 0x5efe ? 'ISATAP' : undefined;
};

/** Only the forms in which a resolver and `URL` write addresses: no octal, no short ones, no zones. */
const parsed = (text: string): Address | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return /^[0-9a-f:.]+$/i.test(text) && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
};

const inWords = (range: string): string => range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
