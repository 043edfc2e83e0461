import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { newId, SECOND } from '#kernel';
import { eventually, FakeClock } from '#testing';
import { MAX_RESPONSE_BYTES } from './attempt.js';
import { systemResolver } from './checked-addresses.js';
import { MAX_SOCKETS } from './target-pool.js';
import { ANY_TARGETS } from './target-rules.js';
import {
  answering,
  dripping,
  flooding,
  hangingUp,
  type Reaction,
  type Received,
  Receiver,
  silent,
  writing,
} from './testing/receiver.js';
import { UndiciSender } from './undici-sender.js';

const NO_CONTENT = 'HTTP/1.1 204 No Content';
const clock = new FakeClock();

let receiver: Receiver;
let sender: UndiciSender;

const newSender = (timeout = 30_000) =>
  new UndiciSender({ rules: ANY_TARGETS, resolve: systemResolver, clock, timeout });

const endpointId = newId('webhookEndpoint');

const send = (path = '/hook', body: Buffer | string = '{}', headers: Record<string, string> = {}) =>
  sender.send({ endpointId, url: `http://127.0.0.1:${receiver.port}${path}`, body: Buffer.from(body), headers });

const sendTo = (reaction: Reaction) => {
  receiver.reaction = reaction;
  return send();
};

const within = async (timeout: number) => {
  await sender.close();
  sender = newSender(timeout);
};

beforeEach(async () => {
  receiver = await Receiver.start();
  sender = newSender();
});

afterEach(async () => {
  await sender.close();
  await receiver.close();
});

describe('What is sent', () => {
  it('is one POST with these bytes and headers', async () => {
    const body = Buffer.from('{"name":"é"}\r\n\r\n\u0000');
    await send('/hook/a%20b?x=1&y=%2F', body, { 'Content-Type': 'application/json', 'X-SVC-Event-ID': 'evt_1' });
    expect(receiver.requests).toEqual([
      {
        head: expect.arrayContaining([
          'POST /hook/a%20b?x=1&y=%2F HTTP/1.1',
          `host: 127.0.0.1:${receiver.port}`,
          'User-Agent: creator-protection-webhooks',
          'Content-Type: application/json',
          'X-SVC-Event-ID: evt_1',
          `content-length: ${body.length}`,
        ]),
        body,
      },
    ]);
  });

  it('goes to no proxy, with any environment', async () => {
    const proxy = await Receiver.start();
    const environment = { ...process.env };
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'])
      process.env[name] = `http://127.0.0.1:${proxy.port}`;
    process.env.NODE_USE_ENV_PROXY = '1';
    expect(await send()).toEqual({ status: 204, error: null });
    process.env = environment;
    expect(proxy.connections).toBe(0);
    await proxy.close();
  });

  it('may contain a header that cannot be sent: that is our defect and no outcome', async () => {
    await expect(send('/', '{}', { 'X-SVC-Event-ID': 'a\nb' })).rejects.toThrow('header');
    expect(receiver.requests).toEqual([]);
  });
});

describe('D60: an answer', () => {
  test.each([300, 304, 400, 599, 600, 999])('of %i is refused', async (status) => {
    expect(await sendTo(answering(`HTTP/1.1 ${status} Not`, ''))).toEqual({ status, error: 'refused' });
  });

  test.each([301, 302, 303, 307, 308])('D59: of %i is refused, and its Location is ignored', async (status) => {
    const inside = await Receiver.start();
    const location = `location: http://127.0.0.1:${inside.port}/latest/meta-data/`;
    const outcome = await sendTo(answering(`HTTP/1.1 ${status} Elsewhere\r\n${location}`, ''));
    expect(outcome).toEqual({ status, error: 'refused' });
    expect(receiver.requests).toHaveLength(1);
    expect(inside.connections).toBe(0);
    await inside.close();
  });

  it('may ask to wait until a time', async () => {
    const until = new Date(clock.now() + 90_000).toUTCString();
    const outcome = await sendTo(answering(`HTTP/1.1 429 Slower\r\nretry-after: ${until}`, ''));
    expect(outcome).toEqual({ status: 429, error: 'refused', retryAfter: 90_000 });
  });

  it('counts after others that only announce it', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(3);
    expect(await sendTo(writing(`${early}${NO_CONTENT}\r\n\r\n`))).toEqual({ status: 204, error: null });
  });

  it('counts by its headers, though its body breaks off', async () => {
    const outcome = await sendTo((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy()),
    );
    expect(outcome).toEqual({ status: 200, error: null });
  });
});

describe('A receiver that', () => {
  test.each([
    ['says nothing', silent],
    ['sends its headers byte by byte', dripping(`HTTP/1.1 200 OK\r\nx-padding: ${'a'.repeat(100_000)}\r\n\r\n`, 5)],
    ['never ends its headers', writing('HTTP/1.1 200 OK\r\nx-a: b\r\n')],
    ['only ever announces an answer', writing('HTTP/1.1 102 Processing\r\n\r\n'.repeat(3))],
  ])('%s has timed out, and is left', async (_what, reaction) => {
    await within(200);
    expect(await sendTo(reaction)).toEqual({ status: null, error: 'timeout' });
    await eventually(() => receiver.open === 0);
  });

  it('does not answer has five seconds, where nothing else is set (D60)', async () => {
    await sender.close();
    sender = new UndiciSender({ rules: ANY_TARGETS, resolve: systemResolver, clock });
    const began = performance.now();
    expect(await sendTo(silent)).toEqual({ status: null, error: 'timeout' });
    const waited = performance.now() - began;
    expect(waited).toBeGreaterThan(4.9 * SECOND);
    expect(waited).toBeLessThan(9 * SECOND);
  }, 30_000);

  test.each([
    ['speaks another protocol', writing('SSH-2.0-OpenSSH_9.9\r\n')],
    ['answers with HTTP/2 frames', writing(Buffer.from('000012040000000000000300000080000400010000', 'hex'))],
    ['has no number for a status', writing('HTTP/1.1 OK\r\n\r\n')],
    ['has a status of two digits', writing('HTTP/1.1 20 OK\r\n\r\n')],
    ['has blanks in a header name', writing('HTTP/1.1 200 OK\r\nx y: z\r\n\r\n')],
    ['has a zero byte in a header', writing('HTTP/1.1 200 OK\r\nx: \u0000\r\n\r\n')],
    ['gives two lengths', writing('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab')],
    ['gives a length that is not a number', writing('HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\n')],
    ['switches protocols', writing('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
    ['asks for a body that it has', writing('HTTP/1.1 100 Continue\r\n\r\n')],
    ['sends huge headers', flooding('HTTP/1.1 200 OK\r\n', `x-padding: ${'a'.repeat(1_000)}\r\n`)],
    ['sends one huge header', flooding('HTTP/1.1 200 OK\r\nx: ', 'a'.repeat(10_000))],
    ['sends nothing but announcements', flooding('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100))],
  ])('%s has sent no answer, and is left', async (_what, reaction) => {
    expect(await sendTo(reaction)).toEqual({ status: null, error: 'response_invalid' });
    await eventually(() => receiver.open === 0);
  });

  test.each([
    ['hangs up', hangingUp],
    ['ends before it has answered', (socket) => socket.end()],
    ['ends within its headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nx-a')],
  ] satisfies [string, Reaction][])('%s was not reached, and gets nothing again', async (_what, reaction) => {
    expect(await sendTo(reaction)).toEqual({ status: null, error: 'connection_failed' });
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([
    ['of any length', 'HTTP/1.1 200 OK\r\n\r\n', 'a'.repeat(1_000)],
    ['of a declared length', 'HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n', 'a'.repeat(1_000)],
    ['in chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', `3e8\r\n${'a'.repeat(1_000)}\r\n`],
    ['in chunks of one byte', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\na\r\n'.repeat(1_000)],
  ])('sends a body %s that never ends has answered, and is left', async (_what, start, again) => {
    expect(await sendTo(flooding(start, again))).toEqual({ status: 200, error: null });
    await eventually(() => receiver.open === 0);
  });

  it('holds a body back has answered, and is left when the time is over', async () => {
    await within(1_000);
    expect(await sendTo(writing('HTTP/1.1 500 Oh\r\ncontent-length: 5\r\n\r\n'))).toEqual({
      error: 'refused',
      status: 500,
    });
    await eventually(() => receiver.open === 0);
  });
});

describe('A connection', () => {
  it('is used again after a body of 64 KiB', async () => {
    receiver.reaction = answering('HTTP/1.1 200 OK', 'a'.repeat(MAX_RESPONSE_BYTES));
    await eventually(async () => {
      await send();
      return receiver.connections < receiver.requests.length;
    });
  });

  it('is left after a longer one', async () => {
    receiver.reaction = answering('HTTP/1.1 200 OK', 'a'.repeat(MAX_RESPONSE_BYTES + 1));
    for (let sent = 1; sent <= 3; sent++) {
      await send();
      await eventually(() => receiver.open === 0);
      expect(receiver.connections).toBe(sent);
    }
  });

  it('that the receiver has closed in the meantime is replaced', async () => {
    receiver.reaction = (socket) => socket.end(`${NO_CONTENT}\r\nconnection: close\r\n\r\n`);
    for (let n = 0; n < 3; n++) expect(await send()).toMatchObject({ error: null });
    expect(receiver.connections).toBe(3);
  });

  it('on which extra bytes arrive is not used again', async () => {
    receiver.reaction = writing(`${NO_CONTENT}\r\n\r\nHTTP/1.1 500 Smuggled\r\ncontent-length: 0\r\n\r\n`);
    for (let n = 0; n < 5; n++) expect(await send()).toEqual({ status: 204, error: null });
  });
});

describe('a kept connection that the receiver closes (D60)', () => {
  const noContent = answering(NO_CONTENT, '');
  /** The first request over a connection that had already served one. */
  let met: Received[];

  /** The first request that comes over a kept connection meets this, and the requests after it meet `later`. */
  const keptMeets = (reaction: Reaction, later: Reaction = noContent) => {
    const used = new WeakSet<Socket>();
    met = [];
    receiver.reaction = (socket, received) => {
      if (met.length > 0) return later(socket, received);
      if (!used.has(socket)) {
        used.add(socket);
        return noContent(socket, received);
      }
      met.push(received);
      reaction(socket, received);
    };
  };

  /** Sends until a kept connection was used; the outcome of that request, and the bodies that followed it. */
  const sendUntilMet = async () => {
    for (;;) {
      const outcome = await send('/hook', `{"a":${receiver.requests.length}}`);
      if (met.length === 0) continue;
      const [first] = met;
      return { outcome, sent: receiver.requests.filter(({ body }) => first?.body.equals(body)).length };
    }
  };

  it.each<[string, Reaction]>([
    ['ends', (socket) => socket.end()],
    ['is reset', (socket) => socket.resetAndDestroy()],
    ['is destroyed', (socket) => socket.destroy()],
  ])('%s before a byte of the answer: the same request is sent once more on a new connection', async (_, reaction) => {
    keptMeets(reaction);
    const before = receiver.connections;
    expect(await sendUntilMet()).toEqual({ outcome: { status: 204, error: null }, sent: 2 });
    expect(receiver.requests.at(-1)?.head).toEqual(met[0]?.head);
    expect(receiver.connections).toBeGreaterThanOrEqual(before + 2);
  });

  it('gets one repeat: a new connection that breaks is the outcome', async () => {
    const ending: Reaction = (socket) => socket.end();
    keptMeets(ending, ending);
    expect(await sendUntilMet()).toEqual({ outcome: { status: null, error: 'connection_failed' }, sent: 2 });
  });

  it.each<[string, Reaction]>([
    ['a part of the status line', (socket) => socket.end('HTTP/1.1 20')],
    ['an interim answer', (socket) => socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('gets no repeat after %s', async (_, reaction) => {
    keptMeets(reaction);
    expect(await sendUntilMet()).toEqual({ outcome: { status: null, error: 'connection_failed' }, sent: 1 });
  });
});

describe('D63: a target', () => {
  it(`has at most ${MAX_SOCKETS} connections, and what waits for one is sent when one is free`, async () => {
    const held: (() => void)[] = [];
    receiver.reaction = (socket) => held.push(() => socket.write(`${NO_CONTENT}\r\n\r\n`));
    const sends = Array.from({ length: MAX_SOCKETS + 10 }, () => send());
    await eventually(() => held.length === MAX_SOCKETS);
    expect(receiver.open).toBe(MAX_SOCKETS);
    while (receiver.requests.length < sends.length) {
      for (const release of held.splice(0)) release();
      await eventually(() => held.length > 0 || receiver.requests.length === sends.length);
    }
    for (const release of held.splice(0)) release();
    for (const outcome of await Promise.all(sends)) expect(outcome).toEqual({ status: 204, error: null });
    expect(receiver.connections).toBeLessThanOrEqual(2 * MAX_SOCKETS);
  });

  it('whose connections are all in use does not count the wait for one against the attempt', async () => {
    await within(1_000);
    let answers = 0;
    receiver.reaction = (socket) => (answers++ < MAX_SOCKETS ? undefined : socket.write(`${NO_CONTENT}\r\n\r\n`));
    const [stuck, late] = [Array.from({ length: MAX_SOCKETS }, () => send()), send()];
    for (const outcome of await Promise.all(stuck)) expect(outcome).toEqual({ status: null, error: 'timeout' });
    expect(await late).toEqual({ status: 204, error: null });
  });

  it('delays no other target, not even of the same host', async () => {
    receiver.reaction = (socket, { head }) => head[0]?.includes('/slow') || socket.write(`${NO_CONTENT}\r\n\r\n`);
    const stuck = Array.from({ length: 2 * MAX_SOCKETS }, () => send('/slow'));
    await eventually(() => receiver.requests.length === MAX_SOCKETS);
    expect(await send('/quick')).toEqual({ status: 204, error: null });
    const ofOther = { endpointId: newId('webhookEndpoint'), body: Buffer.from('{}'), headers: {} };
    const sameUrl = sender.send({ ...ofOther, url: `http://127.0.0.1:${receiver.port}/slow` });
    await eventually(() => receiver.requests.length === MAX_SOCKETS + 2);
    receiver.reaction = hangingUp;
    await receiver.close();
    await Promise.all([...stuck, sameUrl]);
    receiver = await Receiver.start();
  });
});

describe('Closing', () => {
  it('does not wait for bodies', async () => {
    expect(await sendTo(writing('HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n'))).toMatchObject({ status: 200 });
    await sender.close();
    await eventually(() => receiver.open === 0);
  });
});
