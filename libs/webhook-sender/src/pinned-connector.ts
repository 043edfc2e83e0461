import { isIP, type LookupFunction, type Socket, connect as tcpConnect } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import type { buildConnector } from 'undici';
import type { Duration } from '#kernel';
import type { NameResolver } from './checked-addresses.js';
import { SendFailure } from './send-failure.js';

export interface ConnectorOptions {
  /** The time limit for name resolution, connecting and the handshake together. */
  readonly timeout: Duration;
  readonly ca?: string | undefined;
}

/** The wait before the host's next address is tried. */
const ADDRESS_TIMEOUT: Duration = 1_000;

/**
 * Connects one target's sockets: resolves the name, checks every address, and connects only to the checked addresses,
 * also if the name then resolves to others. TLS is verified against the name (D59, D64).
 */
export const pinnedConnector = (
  addressesOf: NameResolver,
  { timeout, ca }: ConnectorOptions,
): buildConnector.connector => {
  let session: Buffer | undefined;

  const open = async ({ protocol, hostname, port }: buildConnector.Options): Promise<Socket> => {
    const until = performance.now() + timeout;
    const addresses = await addressesOf(hostname);
    const tcp = tcpConnect({
      host: hostname,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      // Not called for a host that is an address.
      lookup: handingOver(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT,
      noDelay: true,
      keepAlive: true,
    });
    await opened(tcp, 'connect', 'connection_failed', until);
    if (protocol !== 'https:') return tcp;
    const tls = tlsConnect({
      socket: tcp,
      host: hostname,
      ...(isIP(hostname) === 0 && { servername: hostname }),
      ...(session && { session }),
      ...(ca && { ca }),
      ALPNProtocols: ['http/1.1'],
      // D64: independent of NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
    });
    tls.on('session', (ticket) => {
      session = ticket;
    });
    await opened(tls, 'secureConnect', 'tls_failed', until);
    return tls;
  };

  return (options, callback) => {
    open(options).then(
      (socket) => callback(null, socket),
      (error) => callback(error, null),
    );
  };
};

const handingOver =
  (addresses: readonly string[]): LookupFunction =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );

const opened = (socket: Socket, event: string, failure: SendFailure['code'], until: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy(new SendFailure('timeout'));
    const timer = setTimeout(giveUp, Math.max(1, until - performance.now()));
    socket.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
    // This listener stays, because an error before undici's own listener must not end the process.
    socket.on('error', (cause) => {
      clearTimeout(timer);
      reject(cause instanceof SendFailure ? cause : new SendFailure(failure, { cause }));
    });
  });
