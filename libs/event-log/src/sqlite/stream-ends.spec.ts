import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openSqliteDocumentStore } from '#document-store';
import type { EventLog, EventToAppend } from '#kernel';
import { events } from '../contract/given-events.js';
import { encodeAppend } from '../encoded-append.js';
import { temporaryLog } from './testing/temporary-log.js';
import { Writer } from './writer.js';

let temporary: Awaited<ReturnType<typeof temporaryLog>>;
let log: EventLog;
/** As another process has it open. */
let other: EventLog;

beforeEach(async () => {
  temporary = await temporaryLog();
  log = temporary.open();
  other = temporary.open();
});

afterEach(() => temporary.close());

const revisions = async (from: number) => (await log.readStream('thing-1', { from })).map(({ revision }) => revision);

test('a read from the end shows what was appended here since', async () => {
  await log.append('thing-1', 'none', events(1));
  expect(await revisions(1)).toEqual([]);
  expect(await revisions(1)).toEqual([]);
  await log.append('thing-1', 0, events(2));
  expect(await revisions(1)).toEqual([1, 2]);
});

test('and what another process has appended', async () => {
  await other.append('thing-1', 'none', events(1));
  expect(await revisions(1)).toEqual([]);
  await other.append('thing-1', 0, events(2));
  expect(await revisions(1)).toEqual([1, 2]);
});

const appendElsewhere = () => {
  const elsewhere = new DatabaseSync(temporary.file);
  new Writer(elsewhere).write([encodeAppend('thing-1', 0, events(2))]);
  elsewhere.close();
};

describe('within one turn of the event loop', () => {
  const isSeen = async () => {
    expect(log.isAt?.('thing-1', 0)).toBe(false);
    expect(await revisions(1)).toEqual([1, 2]);
  };

  beforeEach(async () => {
    await log.append('thing-1', 'none', events(1));
    await log.append('thing-2', 'none', events(1));
    expect(await revisions(1)).toEqual([]);
  });

  test('what another process has appended is seen once another store has told of it', async () => {
    const documents = openSqliteDocumentStore({ file: join(temporary.directory, 'documents.db') });
    await documents.ensure([{ name: 'told', indexes: [] }]);
    expect(await revisions(1)).toEqual([]);
    appendElsewhere();
    expect(await documents.get('told', 'thing-1')).toBeUndefined();
    await isSeen();
    await documents.close();
  });

  test('and once the log itself has, by another stream', async () => {
    appendElsewhere();
    expect(await log.readStream('thing-2', { from: 0 })).toHaveLength(1);
    await isSeen();
  });

  test('and after an append of this process', async () => {
    const appended = log.append('thing-2', 0, events(1));
    expect(log.isAt?.('thing-1', 0)).toBe(true);
    appendElsewhere();
    await appended;
    await isSeen();
  });
});

test('what another process has appended is seen by who is woken next, though nobody waited in between', async () => {
  await log.append('thing-1', 'none', events(1));
  expect(await revisions(1)).toEqual([]);
  const woken = stat(temporary.file).then(() => log.isAt?.('thing-1', 0));
  await setImmediate();
  // After the immediates come those whose input is there, and only then immediates again.
  expect(log.isAt?.('thing-1', 0)).toBe(true);
  appendElsewhere();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  expect(await woken).toBe(false);
});

test('a stream that was not there is seen once another process has made it', async () => {
  expect(await revisions(0)).toEqual([]);
  await other.append('thing-1', 'none', events(1));
  await setImmediate();
  expect(await revisions(0)).toEqual([0]);
});

test('also when far more has come than is worth looking through', async () => {
  expect(await revisions(0)).toEqual([]);
  for (let n = 0; n < 5; n++) await other.append(`many-${n}`, 'none', events(500));
  await other.append('thing-1', 'none', events(1));
  await setImmediate();
  expect(await revisions(0)).toEqual([0]);
});

test('a repeated append says nothing about the end', async () => {
  const first: EventToAppend[] = events(1);
  await log.append('thing-1', 'none', first);
  await log.append('thing-1', 0, events(2));
  await log.append('thing-1', 'none', first);
  expect(await revisions(1)).toEqual([1, 2]);
});

test('nor does one that was repeated in the same breath', async () => {
  const first: EventToAppend[] = events(1);
  const appends = [log.append('thing-1', 'none', first), log.append('thing-1', 0, events(1))];
  await Promise.all([...appends, log.append('thing-1', 'none', first)]);
  expect(log.isAt?.('thing-1', 0)).toBe(false);
  expect(await revisions(1)).toEqual([1]);
});

test('nor does a read that was limited, or went backwards', async () => {
  await log.append('thing-1', 'none', events(3));
  expect(await log.readStream('thing-1', { from: 1, limit: 1 })).toHaveLength(1);
  expect(await log.readStream('thing-1', { direction: 'backwards', from: 1 })).toHaveLength(2);
  expect(await revisions(2)).toEqual([2]);
});

test('where a stream ends can be asked without reading, here and after another process has appended', async () => {
  const first = await log.append('thing-1', 'none', events(1));
  expect(await revisions(1)).toEqual([]);
  expect(log.isAt?.('thing-1', first.revision)).toBe(true);
  expect(log.isAt?.('thing-1', first.revision + 1)).toBe(false);
  await other.append('thing-1', 0, events(1));
  expect(log.isAt?.('thing-1', first.revision)).toBe(false);
});

test('of a stream that was neither read nor written, and of a closed log, nothing is known', async () => {
  await other.append('thing-1', 'none', events(1));
  expect(log.isAt?.('thing-1', 0)).toBe(false);
  await log.append('thing-2', 'none', events(1));
  await log.close();
  expect(log.isAt?.('thing-2', 0)).toBe(false);
});
