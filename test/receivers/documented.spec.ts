import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { SIGNATURE_HEADER, SigningKey, signatureHeader, standardHeaders } from '#webhooks';
import { freePort } from '../support/free-port.js';
import { OTHER_SECRET, SECRET } from './deliveries.js';
import { isInstalled, isTried, type Program, programFor, removePublishedClient, snippet } from './programs.js';

const nowInSeconds = () => Math.floor(Date.now() / SECOND);

/** By their headings in docs/webhooks.md. Longer ones than a screen are of languages that need more lines. */
const RECEIVERS: readonly (readonly [heading: string, language: string, lines: number])[] = [
  ['With Fastify', 'ts', 30],
  ['With Express', 'ts', 30],
  ['With Nest', 'ts', 35],
  ['With Node alone', 'js', 30],
  ['With Python', 'python', 35],
  ['With Go', 'go', 70],
];

const here = RECEIVERS.filter(([, language]) => isTried(language));
for (const [heading, language] of RECEIVERS.filter((receiver) => !here.includes(receiver))) {
  const reason = isInstalled(language) ? 'RECEIVER_GO is not set' : `${language} is not installed`;
  test.skip(`The receiver of docs/webhooks.md, ${heading}, as ${reason}`, () => undefined);
}

afterAll(removePublishedClient);

describe.each(here)('The receiver of docs/webhooks.md, %s,', (heading, language, lines) => {
  let directory: string;
  let port: number;
  let receiver: ChildProcess;
  let code: string;
  let program: Program;

  beforeAll(async () => {
    code = await snippet(heading, language);
    program = await programFor(language, code);
    directory = program.directory;
    port = await freePort();
    // As a file or a variable has it (D118).
    receiver = start(` ${SECRET}\n`);
    while (!(await isListening())) if (receiver.exitCode !== null) throw new Error('the receiver did not start');
  });

  afterAll(async () => {
    receiver.kill('SIGKILL');
    if (receiver.exitCode === null && receiver.signalCode === null) await once(receiver, 'exit');
    await rm(directory, { recursive: true, force: true });
  });

  const start = (secret: string): ChildProcess => {
    const settings = { NODE_OPTIONS: '', NODE_ENV: 'production', WEBHOOK_SECRET: secret, PORT: String(port) };
    const [command, ...args] = program.command;
    return spawn(command, args, { cwd: directory, env: { ...process.env, ...settings }, stdio: 'ignore' });
  };

  const isListening = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const up = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return up;
  };

  const post = async (
    body: Uint8Array | ReadableStream,
    headers: Record<string, string>,
    path = '/webhooks',
  ): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: body instanceof ReadableStream ? body : new Uint8Array(body),
      duplex: 'half',
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

  /** As a delivery has them: both sets of headers. */
  const signed = (body: Buffer, secrets: readonly string[] = [SECRET], at = nowInSeconds()) => {
    const keys = secrets.map((secret) => new SigningKey(secret));
    return { [SIGNATURE_HEADER]: headerBy(secrets, at, body), ...standardHeaders(keys, 'evt', at, body) };
  };

  const stored = async (): Promise<ReadonlyMap<unknown, Uint8Array>> => {
    if (language === 'go') {
      const names = await readdir(join(directory, 'events'));
      return new Map(
        await Promise.all(names.map(async (id) => [id, await readFile(join(directory, 'events', id))] as const)),
      );
    }
    const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
    const rows = database.prepare('SELECT id, body FROM events').all();
    database.close();
    return new Map(rows.map(({ id, body }) => [id, body as Uint8Array]));
  };

  it('fits on one screen', () => {
    expect(code.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(lines);
  });

  it('takes a signed event, and keeps its very bytes', async () => {
    const body = eventWith('evt_good');
    expect(await post(body, signed(body))).toBe(204);
    expect(Buffer.from((await stored()).get('evt_good') ?? []).equals(body)).toBe(true);
  });

  it('takes an event again, and keeps it once', async () => {
    const body = eventWith('evt_again');
    for (let n = 0; n < 3; n++) expect(await post(body, signed(body, [SECRET], nowInSeconds() - n))).toBe(204);
    expect([...(await stored()).keys()].filter((id) => id === 'evt_again')).toHaveLength(1);
  });

  test.each([
    ['first', [SECRET, OTHER_SECRET]],
    ['second', [OTHER_SECRET, SECRET]],
  ])('takes an event that is signed twice during an overlap, its own secret being the %s', async (order, secrets) => {
    const body = eventWith(`evt_overlap_${order}`);
    expect(await post(body, signed(body, secrets))).toBe(204);
    expect((await stored()).has(`evt_overlap_${order}`)).toBe(true);
  });

  it('takes an event in chunks, and ignores signatures that it does not know (D118)', async () => {
    const body = eventWith('evt_chunked', { aliases: ['a'.repeat(100_000)] });
    const { [SIGNATURE_HEADER]: header, ...others } = signed(body);
    const headers = { ...others, [SIGNATURE_HEADER]: `${header},v0=00,v2=a=b,v1=${'0'.repeat(64)}` };
    const pieces = [body.subarray(0, 3), body.subarray(3, 70_000), body.subarray(70_000)];
    expect(await post(ReadableStream.from(pieces), headers)).toBe(204);
    expect(Buffer.from((await stored()).get('evt_chunked') ?? []).equals(body)).toBe(true);
  });

  it('takes a large event', async () => {
    const body = eventWith('evt_large', {
      aliases: Array.from({ length: 5_000 }, (_, n) => `alias ${n} é`.padEnd(100)),
    });
    expect(await post(body, signed(body))).toBe(204);
    expect((await stored()).has('evt_large')).toBe(true);
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
      ['an event signed with another secret', () => [body, signed(body, [OTHER_SECRET])]],
      ['an event signed twice with other secrets', () => [body, signed(body, [OTHER_SECRET, `${SECRET}x`])]],
      ['an event without a signature', () => [body, {}]],
      ['an empty signature', () => [body, { [SIGNATURE_HEADER]: '' }]],
      ['half a signature', () => [body, { [SIGNATURE_HEADER]: header().slice(0, -1) }]],
      ['a signature of another scheme alone', () => [body, { [SIGNATURE_HEADER]: header().replace('v1', 'v0') }]],
      ['a signature without a time', () => [body, { [SIGNATURE_HEADER]: header().replace(/^t=\d+,/, '') }]],
      ['a signature in capitals', () => [body, { [SIGNATURE_HEADER]: header().toUpperCase() }]],
      ['nothing at all', () => [Buffer.alloc(0), signed(body)]],
    ])('%s', async (_what, request) => {
      const [sent, headers] = request();
      // Where there is no body at all, a framework may refuse the request before its receiver.
      expect(sent.length === 0 ? [400, 401] : [401]).toContain(await post(sent, headers));
      expect([...(await stored()).keys()].filter((id) => /^evt_(?:bad|worse)$/.test(String(id)))).toEqual([]);
    });

    it('a body that is larger than any event', async () => {
      const huge = eventWith('evt_bad', { more: 'a'.repeat(1_100_000) });
      // The connection may be cut before the answer has been read: the body is still on its way.
      expect([413, 'cut']).toContain(await post(huge, signed(huge)).catch(() => 'cut'));
      expect((await stored()).has('evt_bad')).toBe(false);
    });

    it('chunks that are more than any event (D118)', async () => {
      const piece = Buffer.alloc(65_536, 'a');
      const chunks = ReadableStream.from(Array.from({ length: 40 }, () => piece));
      expect([413, 'cut']).toContain(await post(chunks, signed(piece)).catch(() => 'cut'));
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

  it.each(['', ' \n'])('does not start without a secret, with which anybody could sign: %j', async (secret) => {
    const child = start(secret);
    const [exitCode] = await once(child, 'exit');
    expect(exitCode).toBe(1);
  });
});
