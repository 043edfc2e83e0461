import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '#kernel';
import { EventStoreDbDouble } from '../../../../../test/eventstoredb-double/double.js';
import { type EventStoreDbEventLogOptions, openEventStoreDbEventLog } from '../open.js';

type Options = Omit<EventStoreDbEventLogOptions, 'url'>;

/** A log on a new double; `close` ends both and removes the double's file. */
export async function logOnDouble(options: Options = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'eventstoredb-'));
  const double = await EventStoreDbDouble.start({ file: join(directory, 'events.db') });
  const logs: EventLog[] = [];
  const open = (others: Options = {}): EventLog => {
    const log = openEventStoreDbEventLog({ url: double.url, ...options, ...others });
    logs.push(log);
    return log;
  };
  return {
    double,
    log: open(),
    loseConnections: () => double.loseConnections(),
    reopen: async (others?: Options) => open(others),
    async close(): Promise<void> {
      await Promise.all(logs.map((log) => log.close()));
      await double.stop();
      await rm(directory, { recursive: true });
    },
  };
}
