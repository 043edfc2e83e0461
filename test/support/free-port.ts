import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const HOST = '127.0.0.1';
/** Below the ports that Linux gives to outgoing connections and to `listen(0)`, so that neither takes a port that a server leaves for a while. */
const PORTS = [20_000, 30_000] as const;

/** A port on which nothing listens at this moment. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...PORTS);
    const probe = createServer();
    const isFree = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false)).listen(port, HOST, () => done(true));
    });
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
};
