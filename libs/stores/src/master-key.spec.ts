import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InvalidConfiguration, parseMasterKey, readConfig } from '#configuration';
import { MissingKeys } from '#kernel';
import { derivedKey, existingMasterKey, storedMasterKey } from './master-key.js';

const LOADER = new URL('../../threads/src/run-typescript.mjs', import.meta.url).href;
const RUN_SOURCES = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning', '--import', LOADER];

const KEY = Buffer.alloc(32, 0xa7).toString('base64');

describe('MASTER_KEY', () => {
  it('is 32 bytes in base64', () => {
    expect(readConfig({ MASTER_KEY: KEY }).masterKey).toEqual(Buffer.alloc(32, 0xa7));
    expect(readConfig({}).masterKey).toBeUndefined();
  });

  it.each([
    '',
    'secret',
    KEY.slice(0, -1),
    `${KEY}=`,
    ` ${KEY}`,
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
    Buffer.alloc(32, 0xff).toString('base64url'),
    // Decodes, but is not how 32 bytes are written.
    `${KEY.slice(0, 42)}d=`,
  ])('%j is wrong, and is reported together with all other errors', (text) => {
    expect(() => readConfig({ MASTER_KEY: text, PORT: 'x' })).toThrow(InvalidConfiguration);
    expect(() => readConfig({ MASTER_KEY: text, PORT: 'x' })).toThrow(/PORT: .*MASTER_KEY: |MASTER_KEY: .*PORT: /s);
  });

  it('a wrong one is not shown', () => {
    expect(() => readConfig({ MASTER_KEY: 'hunter2hunter2' })).toThrow(/^(?!.*hunter2)/s);
  });
});

describe('the key of a data directory', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'master-key-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  it('is created once, readable only by its owner, and leaves no other file', () => {
    const dataDir = join(directory, 'data');
    const key = storedMasterKey(dataDir);
    expect(storedMasterKey(dataDir)).toEqual(key);
    expect(key).toHaveLength(32);
    expect(readdirSync(dataDir)).toEqual(['master.key']);
    expect(statSync(join(dataDir, 'master.key')).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(parseMasterKey(readFileSync(join(dataDir, 'master.key'), 'utf8').trim())).toEqual(key);
  });

  it('is read, but not created, where an existing one is needed', () => {
    const dataDir = join(directory, 'mistyped');
    expect(() => existingMasterKey(dataDir)).toThrow(MissingKeys);
    expect(readdirSync(directory)).toEqual([]);
    const key = storedMasterKey(dataDir);
    expect(existingMasterKey(dataDir)).toEqual(key);
  });

  it.each([0o640, 0o604, 0o610])('one with mode %o, which others can read or replace, is refused (D71)', (mode) => {
    const file = join(directory, 'master.key');
    writeFileSync(file, KEY);
    chmodSync(file, mode);
    expect(() => storedMasterKey(directory)).toThrow(`${file} can be read by others (mode ${mode.toString(8)})`);
  });

  it.each(['', 'half a ke', KEY.slice(0, 20)])('a file with %j is refused, and left as it is', (content) => {
    const file = join(directory, 'master.key');
    writeFileSync(file, content, { mode: 0o600 });
    expect(() => storedMasterKey(directory)).toThrow(`${file} does not hold 32 bytes in base64`);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it.each([`\ufeff${KEY}`, KEY])('D107: a file in UTF-16 is refused by that name', (content) => {
    const file = join(directory, 'master.key');
    writeFileSync(file, content, { encoding: 'utf16le', mode: 0o600 });
    expect(() => storedMasterKey(directory)).toThrow(`${file} is UTF-16: save it as UTF-8`);
  });

  it('a file that cannot be read does not count as missing', () => {
    const file = join(directory, 'master.key');
    writeFileSync(file, KEY);
    chmodSync(file, 0o000);
    // For root there is no file that may not be read.
    if (process.getuid?.() === 0) expect(storedMasterKey(directory)).toHaveLength(32);
    else expect(() => storedMasterKey(directory)).toThrow('EACCES');
  });

  it('processes that start at the same time agree', async () => {
    const program = `
      const { storedMasterKey } = await import(${JSON.stringify(new URL('./master-key.ts', import.meta.url).href)});
      process.stdin.once('data', () => {
        process.stdout.write(storedMasterKey(${JSON.stringify(directory)}).toString('base64'));
        process.exit();
      });
      process.stderr.write('ready');
    `;
    const processes = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [...RUN_SOURCES, '--input-type=module', '-e', program]),
    );
    const printed = processes.map(({ stdout }) => text(stdout));
    await Promise.all(processes.map(({ stderr }) => new Promise((ready) => stderr.once('data', ready))));
    for (const { stdin } of processes) stdin.end('go');
    const keys = await Promise.all(printed);
    expect(new Set(keys)).toEqual(new Set([storedMasterKey(directory).toString('base64')]));
    expect(readdirSync(directory)).toEqual(['master.key']);
  });
});

describe('a derived key', () => {
  it('follows from master key and purpose', () => {
    const master = Buffer.alloc(32, 1);
    expect(derivedKey(master, 'a')).toEqual(derivedKey(master, 'a'));
    expect(derivedKey(master, 'a')).toHaveLength(32);
    expect(derivedKey(master, 'a')).not.toEqual(derivedKey(master, 'b'));
    expect(derivedKey(master, 'a')).not.toEqual(derivedKey(Buffer.alloc(32, 2), 'a'));
    expect(derivedKey(master, 'a')).not.toEqual(master);
  });
});
