import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openEventStoreDbEventLog, openEventStoreDbStoredLog } from './open.js';

const SECRET = 'hunter2';
const urlWith = (query: string) => `esdb://admin:${SECRET}@127.0.0.1:2113?tls=false&${query}`;

const { warn, log, error } = console;
let printed: string[];
beforeEach(() => {
  printed = [];
  const record = (...texts: unknown[]) => void printed.push(texts.join(' '));
  Object.assign(console, { warn: record, log: record, error: record });
});
afterEach(() => void Object.assign(console, { warn, log, error }));

it.each([
  ['tlsVerify=false', 'the option tlsVerify is not known'],
  ['keepAlive=10', 'the option keepAlive is not known'],
  ['tlsVerifyCert=false', 'tlsVerifyCert=false is not supported'],
  [`p${'x'.repeat(60)}=1`, 'the option in its query is not known'],
])('D95: the option %s is refused by its name, and the password is printed nowhere', (query, problem) => {
  for (const open of [openEventStoreDbEventLog, openEventStoreDbStoredLog]) {
    let message = '';
    try {
      open({ url: urlWith(query) });
    } catch (refused) {
      message = String(refused);
    }
    expect(message).toContain(problem);
    expect([message, ...printed].join()).not.toContain(SECRET);
  }
  expect(printed).toEqual([]);
});

it.each([
  'keepAliveInterval=10000&keep_alive_timeout=10000',
  'TLS-CA-FILE=/ca.pem',
  'nodePreference=leader&connectionName=svc',
])('the options %s are known', async (query) => {
  await openEventStoreDbEventLog({ url: urlWith(query) }).close();
  expect(printed).toEqual([]);
});
