import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEventStoreDbEventLog } from '#event-log';
import { newEventId } from '#kernel';
import { startEventStoreDbServer } from './eventstoredb-server.js';
import { compiled } from './mains.js';

const DOUBLE = compiled('test/eventstoredb-double/main.js');
const before = process.env.EVENTSTOREDB_COMMAND;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'server-'));
});
afterEach(() => {
  if (before === undefined) delete process.env.EVENTSTOREDB_COMMAND;
  else process.env.EVENTSTOREDB_COMMAND = before;
  rmSync(directory, { recursive: true });
});

const thing = {
  id: newEventId(),
  type: 'thing.happened.v1',
  data: {},
  metadata: { at: 0, correlationId: 'req_1', causationId: null, actor: 'key:test', workspaceId: null },
};

describe('an EventStoreDB server for one service', () => {
  test('is what EVENTSTOREDB_COMMAND starts, each with its own port and folder', async () => {
    process.env.EVENTSTOREDB_COMMAND = `${process.execPath} ${DOUBLE} --port {port}  --file {folder}/its.db`;
    const [one, other] = await Promise.all(
      ['one', 'other'].map((name) => startEventStoreDbServer(join(directory, name))),
    );
    const [log, otherLog] = await Promise.all(
      [one, other].map((server) => openEventStoreDbEventLog({ url: server?.url ?? '', retryFor: 0 })),
    );
    await log?.append('thing-1', 'none', [thing]);
    expect(await log?.readStream('thing-1')).toHaveLength(1);
    expect(await otherLog?.readStream('thing-1')).toEqual([]);
    expect(existsSync(join(directory, 'one', 'its.db'))).toBe(true);

    await one?.stop();
    await expect(log?.readStream('thing-1')).rejects.toMatchObject({ name: 'StoreUnavailable' });
    expect(await otherLog?.readStream('thing-1')).toEqual([]);
    await other?.stop();
    await Promise.all([log?.close(), otherLog?.close()]);
  });

  test('that does not start is reported with its command’s last output', async () => {
    process.env.EVENTSTOREDB_COMMAND = `${process.execPath} ${DOUBLE} --port {port}`;
    await expect(startEventStoreDbServer(directory)).rejects.toThrow(
      /^EventStoreDB did not start \(.+\): it ended with 1\n[\s\S]*--file is needed/,
    );
    process.env.EVENTSTOREDB_COMMAND = '/nowhere/eventstored --http-port {port}';
    await expect(startEventStoreDbServer(directory)).rejects.toThrow(/\(\/nowhere\/eventstored\): .*ENOENT/);
  });
});
