import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFerretDb, type FerretDb, hasGo, startFerretDb, UNSUPPORTED } from '../ferretdb/ferretdb.js';
import { type EventStoreDbServer, hasServerCommand, startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { DIST } from '../support/mains.js';

/**
 * `npm run test:stores [-- <jest arguments>]`: the contracts of the stores beyond one machine, and the whole service on
 * them. MongoDB is the server of `MONGODB_URL`, or FerretDB. EventStoreDB is what `EVENTSTOREDB_COMMAND` starts, one server
 * for each service, or the double in `test`. The log's contract suite also runs on the server of `EVENTSTOREDB_URL`.
 */

const SUITES = ['libs/event-log', 'libs/document-store', 'libs/key-store', 'test/e2e', 'test/crash'];

const startMongoDb = async (): Promise<FerretDb | undefined> => {
  if (process.env.MONGODB_URL !== undefined) return undefined;
  if (hasGo()) return startFerretDb(buildFerretDb(join(process.cwd(), 'test/ferretdb')));
  process.stderr.write(
    'SKIPPED: the specs on MongoDB, as MONGODB_URL is unset and Go, which builds FerretDB, is missing\n',
  );
  return undefined;
};

/** The server of the log's contract suite, where it is not given. */
const startEventStoreDb = async (): Promise<EventStoreDbServer | undefined> => {
  if (process.env.EVENTSTOREDB_URL !== undefined) return undefined;
  if (!hasServerCommand()) {
    process.stderr.write('SKIPPED: a real EventStoreDB, as EVENTSTOREDB_COMMAND is unset; its double serves\n');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const { url, stop } = await startEventStoreDbServer(folder);
  return {
    url,
    async stop() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
};

/** Runs Jest in its own process group, and ends with it what specs started and did not stop, such as servers. */
const runJest = async (words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> => {
  const main = createRequire(import.meta.url).resolve('jest/bin/jest');
  const jest = spawn(process.execPath, [main, ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: {
      ...process.env,
      TESTED_BUILD: DIST,
      // FerretDB reads every document of a collection to find one.
      E2E_TIMEOUT_FACTOR: '6',
      E2E_EVENT_LOG: 'eventstoredb',
      ...environment,
    },
  });
  const endGroup = (): void => {
    try {
      if (jest.pid !== undefined) process.kill(-jest.pid, 'SIGTERM');
    } catch {
      // Nothing of the group is left.
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endGroup);
  const [status] = (await once(jest, 'exit')) as [number | null];
  endGroup();
  return status ?? 1;
};

const [eventStoreDb, ferretDb] = await Promise.all([startEventStoreDb(), startMongoDb()]);
const eventStoreDbUrl = process.env.EVENTSTOREDB_URL ?? eventStoreDb?.url;
const mongoDbUrl = process.env.MONGODB_URL ?? ferretDb?.url;
const asked = process.argv.slice(2);
if (ferretDb !== undefined) {
  for (const reason of Object.values(UNSUPPORTED))
    process.stderr.write(`SKIPPED: tests of the document store, because ${reason}\n`);
}
process.exitCode = await runJest(asked.length > 0 ? asked : SUITES, {
  ...(eventStoreDbUrl !== undefined && { EVENTSTOREDB_URL: eventStoreDbUrl }),
  ...(ferretDb !== undefined && { MONGODB_UNSUPPORTED: JSON.stringify(UNSUPPORTED) }),
  ...(mongoDbUrl !== undefined && { MONGODB_URL: mongoDbUrl, E2E_DOCUMENTS: 'mongodb' }),
});
await Promise.all([eventStoreDb?.stop(), ferretDb?.stop()]);
