import { join } from 'node:path';
import { ALL_PROJECTIONS } from '#contexts';
import { openSqliteEventLog } from '#event-log';
import { fillWithHistory } from '../history.js';
import { ledRebuild } from '../led-rebuild.js';
import { issueKey } from './bench-agency.js';
import { putLanesAtEnd } from './lanes-at-end.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

/** A data directory with that many events, all of them handled, and a key for what runs on it. */
export const prepareData = async (dir: string, events: number, sandbox: SandboxReady): Promise<string> => {
  // Without the rest of the service: what uses it there takes one append of a stream at a time.
  const history = openSqliteEventLog({ file: join(dir, 'events.db') });
  await fillWithHistory(history, events);
  await history.close();
  const service = await openBenchService(dir, 'durable', sandbox);
  const { services } = service;
  const key = await issueKey(services);
  await ledRebuild(ALL_PROJECTIONS, services.log, services.documents);
  await putLanesAtEnd(services);
  await service.close();
  return key;
};
