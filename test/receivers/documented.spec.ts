import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { SIGNATURE_HEADER, SigningKey, signatureHeader } from '#webhooks';
import { freePort } from '../support/free-port.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const EARLIER_SECRET = 'whsec_GFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210';

/** The code below a heading of docs/webhooks.md, as somebody would copy it. */
const snippet = async (heading: string): Promise<string> => {
  const page = await readFile(join(ROOT, 'docs/webhooks.md'), 'utf8');
  const [, code] = new RegExp(`^### ${heading}\n+\`\`\`js\n(.*?)^\`\`\``, 'ms').exec(page) ?? [];
  if (code === undefined) throw new Error(`docs/webhooks.md shows no code below ${heading}`);
  return code;
};

const nowInSeconds = () => Math.floor(Date.now() / SECOND);

describe.each(['With Express', 'With Node alone'])('The receiver of docs/webhooks.md, %s,', (heading) => {
  let directory: string;
  let port: number;
  let receiver: ChildProcess;
  let code: string;

  beforeAll(async () => {
    code = await snippet(heading);
    directory = await mkdtemp(join(tmpdir(), 'receiver-'));
    port = await freePort();
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    await writeFile(join(directory, 'receiver.mjs'), code);
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      NODE_ENV: 'production',
      WEBHOOK_SECRET: SECRET,
      PORT: String(port),
    };
    receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: directory, env, stdio: 'ignore' });
    while (!(await isListening())) if (receiver.exitCode !== null) throw new Error('the receiver did not start');
  });

  afterAll(async () => {
    receiver.kill('SIGKILL');
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
    await rm(directory, { recursive: true, force: true });
  });

  const isListening = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const up = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return up;
  };

  const post = async (body: Uint8Array, headers: Record<string, string>, path = '/webhooks'): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
    });
    await response.arrayBuffer();
    return response.status;
  };

  const headerBy = (secrets: readonly string[], at: number, body: Buffer) =>
    signatureHeader(
      secrets.map((secret) => new SigningKey(secret)),
      at,
      body,
    );

  const eventWith = (id: string, more: object = {}) =>
    Buffer.from(JSON.stringify({ id, name: 'é\u2028', ...more }, null, 1));

  const signed = (body: Buffer, secrets: readonly string[] = [SECRET], at = nowInSeconds()) => ({
    [SIGNATURE_HEADER]: headerBy(secrets, at, body),
  });

  const stored = (): ReadonlyMap<unknown, Uint8Array> => {
    const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
    const rows = database.prepare('SELECT id, body FROM events').all();
    database.close();
    return new Map(rows.map(({ id, body }) => [id, body as Uint8Array]));
  };

  it('fits on one screen', () => {
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(30);
  });

  it('takes a signed event, and keeps its very bytes', async () => {
    const body = eventWith('evt_good');
    expect(await post(body, signed(body))).toBe(204);
    expect(Buffer.from(stored().get('evt_good') ?? []).equals(body)).toBe(true);
  });

  it('takes an event again, and keeps it once', async () => {
    const body = eventWith('evt_again');
    for (let n = 0; n < 3; n++) expect(await post(body, signed(body, [SECRET], nowInSeconds() - n))).toBe(204);
    expect([...stored().keys()].filter((id) => id === 'evt_again')).toHaveLength(1);
  });

  test.each([
    ['first', [SECRET, EARLIER_SECRET]],
    ['second', [EARLIER_SECRET, SECRET]],
  ])('takes an event that is signed twice during an overlap, its own secret being the %s', async (order, secrets) => {
    const body = eventWith(`evt_overlap_${order}`);
    expect(await post(body, signed(body, secrets))).toBe(204);
    expect(stored().has(`evt_overlap_${order}`)).toBe(true);
  });

  it('takes a large event', async () => {
    const body = eventWith('evt_large', {
      aliases: Array.from({ length: 5_000 }, (_, n) => `alias ${n} é`.padEnd(100)),
    });
    expect(await post(body, signed(body))).toBe(204);
    expect(stored().has('evt_large')).toBe(true);
  });

  describe('refuses', () => {
    const body = eventWith('evt_bad');
    const header = (at = nowInSeconds()) => headerBy([SECRET], at, body);
    const MINUTES = MINUTE / SECOND;

    test.each<[string, () => readonly [Buffer, Record<string, string>]]>([
      ['an event that was changed', () => [eventWith('evt_worse'), signed(body)]],
      ['an event with a byte more', () => [Buffer.concat([body, Buffer.from(' ')]), signed(body)]],
      [
        'an event that was parsed and written again',
        () => [Buffer.from(JSON.stringify(JSON.parse(`${body}`))), signed(body)],
      ],
      ['an event of six minutes ago', () => [body, signed(body, [SECRET], nowInSeconds() - 6 * MINUTES)]],
      ['an event of the time to come', () => [body, signed(body, [SECRET], nowInSeconds() + 6 * MINUTES)]],
      [
        'a late event under a new time',
        () => [body, { [SIGNATURE_HEADER]: header(1).replace('t=1', `t=${nowInSeconds()}`) }],
      ],
      ['an event signed with another secret', () => [body, signed(body, [EARLIER_SECRET])]],
      ['an event signed twice with other secrets', () => [body, signed(body, [EARLIER_SECRET, `${SECRET}x`])]],
      ['an event without a signature', () => [body, {}]],
      ['an empty signature', () => [body, { [SIGNATURE_HEADER]: '' }]],
      ['half a signature', () => [body, { [SIGNATURE_HEADER]: header().slice(0, -1) }]],
      ['a signature of another scheme alone', () => [body, { [SIGNATURE_HEADER]: header().replace('v1', 'v0') }]],
      ['a signature without a time', () => [body, { [SIGNATURE_HEADER]: header().replace(/^t=\d+,/, '') }]],
      ['a signature in capitals', () => [body, { [SIGNATURE_HEADER]: header().toUpperCase() }]],
      ['nothing at all', () => [Buffer.alloc(0), signed(body)]],
    ])('%s', async (_what, request) => {
      expect(await post(...request())).toBe(401);
      expect([...stored().keys()].filter((id) => /^evt_(?:bad|worse)$/.test(String(id)))).toEqual([]);
    });

    it('a body that is larger than any event', async () => {
      const huge = eventWith('evt_bad', { more: 'a'.repeat(1_100_000) });
      // The connection may be cut before the answer has been read: the body is still on its way.
      expect([413, 'cut']).toContain(await post(huge, signed(huge)).catch(() => 'cut'));
      expect(stored().has('evt_bad')).toBe(false);
    });

    it('any other address', async () => {
      expect(await post(body, signed(body), '/elsewhere')).toBe(404);
    });
  });

  it('outlives a sender that breaks off within a body', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"id"',
      () => socket.destroy(),
    );
    await once(socket, 'close');
    const body = eventWith('evt_after');
    expect(await post(body, signed(body))).toBe(204);
    expect(receiver.exitCode).toBeNull();
  });

  it('does not start without a secret, with which anybody could sign', async () => {
    const env = { ...process.env, NODE_OPTIONS: '', WEBHOOK_SECRET: '', PORT: '0' };
    const child = spawn(process.execPath, ['receiver.mjs'], { cwd: directory, env, stdio: 'ignore' });
    const [exitCode] = await once(child, 'exit');
    expect(exitCode).toBe(1);
  });
});
