import { isIP } from 'node:net';

/** Why the service refuses the URL: secrets or personal data would cross a network in plain text. */
export const NOT_ENCRYPTED = 'is not encrypted, which is allowed only on loopback, or with ALLOW_PLAINTEXT=1';

/** Whether the token and bodies for a provider at this URL would cross a network in plain text. */
export const isPlaintextHttp = (url: string | undefined): boolean => {
  if (url === undefined) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
};

/**
 * Whether the connection to a store at this URL would cross a network without TLS.
 * `esdb://` encrypts unless it says `tls=false`; `mongodb://` encrypts only if it says `tls=true`, `mongodb+srv://`
 * unless it says `tls=false`.
 */
export const isPlaintextStore = (url: string | undefined): boolean => {
  if (url === undefined) return false;
  const [, scheme = '', authority = '', query = ''] = /^([a-z+]+):\/\/([^/?]*)[^?]*(?:\?(.*))?$/i.exec(url) ?? [];
  const isEncrypted = tlsOption(query) ?? scheme.toLowerCase() !== 'mongodb';
  return !isEncrypted && !hostsOf(authority).every(isLoopback);
};

/** The value of the options `tls` or `ssl`; false if they contradict each other. */
const tlsOption = (query: string): boolean | undefined => {
  const options = [...new URLSearchParams(query)].filter(([name]) => /^(?:tls|ssl)$/i.test(name));
  return options.length === 0 ? undefined : options.every(([, value]) => value.toLowerCase() === 'true');
};

const hostsOf = (authority: string): string[] =>
  authority
    .slice(authority.lastIndexOf('@') + 1)
    .split(',')
    .map((host) => host.replace(/:\d+$/, ''));

/** A Unix socket, written as an encoded path, does not leave the machine. */
const isLoopback = (host: string): boolean => {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (name === 'localhost' || name === '::1' || /^%2f/.test(name)) return true;
  return isIP(name) === 4 && name.startsWith('127.');
};
