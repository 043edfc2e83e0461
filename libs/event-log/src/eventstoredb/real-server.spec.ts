import { test } from '@jest/globals';
import type { EventLog } from '#kernel';
import { eventLogContract } from '../contract/index.js';
import { openEventStoreDbEventLog } from './open.js';
import { logOfItsOwn } from './testing/log-of-its-own.js';

const { EVENTSTOREDB_URL: url } = process.env;

if (url === undefined) {
  test.skip('the event log on a served EventStoreDB: skipped, as EVENTSTOREDB_URL is not set', () => {});
} else {
  eventLogContract('the event log on a served EventStoreDB', async () => {
    const logs: EventLog[] = [];
    const mark = `t${crypto.randomUUID().replaceAll('-', '')}`;
    const first = openEventStoreDbEventLog({ url });
    const start = await first.head();
    const open = (log: EventLog): EventLog => {
      logs.push(log);
      return logOfItsOwn(log, start, mark);
    };
    return {
      log: open(first),
      reopen: async () => open(openEventStoreDbEventLog({ url })),
      close: async () => void (await Promise.all(logs.map((log) => log.close()))),
    };
  });
}
