import { join } from 'node:path';
import { openSqliteEventLog } from '#event-log';
import { fillWithHistory } from '../history.js';
import { settingsOf, tell } from './start-process.js';

/** Fills `events.db` with a history, in a process whose memory is then given back. */
const { dir, events } = await settingsOf<{ readonly dir: string; readonly events: number }>();
const log = openSqliteEventLog({ file: join(dir, 'events.db') });
await fillWithHistory(log, events);
await log.close();
tell({});
