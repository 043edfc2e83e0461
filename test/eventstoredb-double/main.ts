import { parseArgs } from 'node:util';
import { freePort } from '../support/free-port.js';
import { EventStoreDbDouble } from './double.js';

/** `node dist/test/eventstoredb-double/main.js --port 2113 --file events.db`: prints its URL and serves until SIGTERM. */

const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });
if (values.file === undefined) throw new Error('--file is needed: where the log is kept');
const port = values.port === undefined ? await freePort() : Number(values.port);
const double = await EventStoreDbDouble.start({ file: values.file, port });
process.stdout.write(`${JSON.stringify({ url: double.url })}\n`);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void double.stop());
