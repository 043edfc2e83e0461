import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildFerretDb, type FerretDb, hasGo, startFerretDb } from '../ferretdb/ferretdb.js';

/**
 * `npm run test:stores [-- <jest arguments>]`: the contracts of the stores beyond one machine, and the whole service on
 * them. A server is used where its URL is given; else EventStoreDB is the double of `test`, and MongoDB is FerretDB.
 */

const CONTRACTS = ['libs/event-log', 'libs/document-store', 'libs/personal-keys', 'test/e2e'];

const served = async (): Promise<FerretDb | undefined> => {
  if (process.env.MONGODB_URL !== undefined) return undefined;
  if (hasGo()) return startFerretDb(buildFerretDb(join(process.cwd(), 'test/ferretdb')));
  process.stderr.write(
    'SKIPPED: all that runs on MongoDB, as neither MONGODB_URL is set nor Go there to build FerretDB\n',
  );
  return undefined;
};

if (process.env.EVENTSTOREDB_URL === undefined) {
  process.stderr.write('SKIPPED: the log on a real EventStoreDB, as EVENTSTOREDB_URL is not set; its double serves\n');
}
const ferretDb = await served();
const mongoDbUrl = process.env.MONGODB_URL ?? ferretDb?.url;
const asked = process.argv.slice(2);
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// FerretDB looks at every document of a collection to find one: what takes milliseconds elsewhere takes its time here.
const patient = ['--testTimeout', '180000'];
const { status } = spawnSync(process.execPath, [jest, ...patient, ...(asked.length > 0 ? asked : CONTRACTS)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    E2E_PATIENCE: '6',
    E2E_EVENT_LOG: 'eventstoredb',
    ...(mongoDbUrl !== undefined && { MONGODB_URL: mongoDbUrl, E2E_DOCUMENTS: 'mongodb' }),
  },
});
await ferretDb?.stop();
process.exitCode = status ?? 1;
