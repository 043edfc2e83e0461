import { afterEach, beforeEach, describe, expect, it, test } from '@jest/globals';
import { newId } from '#kernel';
import { eventually, FakeClock } from '#testing';
import { SELF_SIGNED } from '../../native-platform/src/testing/self-signed.js';
import { ANY_TARGETS } from './target-rules.js';
import { Receiver } from './testing/receiver.js';
import { UndiciSender } from './undici-sender.js';

const environment = { ...process.env };
let receiver: Receiver;
let sender: UndiciSender;

/** The certificate is for localhost and 127.0.0.1; every name leads there. */
const senderThatTrusts = (ca?: string, timeout = 30_000) =>
  new UndiciSender({
    rules: ANY_TARGETS,
    resolve: async () => ['127.0.0.1'],
    clock: new FakeClock(),
    timeout,
    ...(ca !== undefined && { ca }),
  });

const endpointId = newId('webhookEndpoint');
const sendTo = (host: string) =>
  sender.send({ endpointId, url: `https://${host}:${receiver.port}/`, body: Buffer.from('{}'), headers: {} });

beforeEach(async () => {
  receiver = await Receiver.start('127.0.0.1', SELF_SIGNED);
  sender = senderThatTrusts(SELF_SIGNED.cert);
});

afterEach(async () => {
  process.env = { ...environment };
  await sender.close();
  await receiver.close();
});

describe('D64: TLS', () => {
  test.each(['localhost', '127.0.0.1'])('is verified against the host: %s', async (host) => {
    expect(await sendTo(host)).toEqual({ status: 204, error: null });
    expect(receiver.requests[0]?.head).toContain(`host: ${host}:${receiver.port}`);
  });

  it('names the host to the server, and speaks HTTP/1.1 alone', async () => {
    await sendTo('localhost');
    expect(receiver.handshakes).toEqual([{ servername: 'localhost', protocol: 'http/1.1', resumed: false }]);
  });

  it('fails if the certificate is for another host, although the address is right', async () => {
    expect(await sendTo('hooks.agency.com')).toEqual({ status: null, error: 'tls_failed' });
    expect(receiver.requests).toEqual([]);
  });

  it('fails with an untrusted certificate, with any environment', async () => {
    await sender.close();
    sender = senderThatTrusts();
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    expect(await sendTo('localhost')).toEqual({ status: null, error: 'tls_failed' });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['does not speak TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['closes the connection during the handshake', ''],
  ])('fails if the server %s', async (_, greeting) => {
    await receiver.close();
    receiver = await Receiver.start();
    receiver.greeting = greeting;
    expect(await sendTo('localhost')).toEqual({ status: null, error: 'tls_failed' });
  });

  it('times out if the server never answers the handshake, and closes the connection', async () => {
    await receiver.close();
    receiver = await Receiver.start();
    await sender.close();
    sender = senderThatTrusts(SELF_SIGNED.cert, 200);
    expect(await sendTo('localhost')).toEqual({ status: null, error: 'timeout' });
    await eventually(() => receiver.open === 0);
  });

  it('resumes its session on later connections', async () => {
    receiver.reaction = (socket) => socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n');
    for (let n = 0; n < 3; n++) expect(await sendTo('localhost')).toEqual({ status: 204, error: null });
    expect(receiver.handshakes.map(({ resumed }) => resumed)).toEqual([false, true, true]);
  });
});
