import fastify from 'fastify';
import type { Sandbox } from '../index.js';

/** The ways in which a faulty implementation differs from the sandbox. */
export interface Alter {
  /** Answers 429 instead of the sandbox. */
  isBusy?(): boolean;
  url?(url: string): string;
  header?(authorization: string | undefined): string;
  fence?(fence: string): string;
  body?(body: unknown, url: string, method: string): unknown;
}

export interface BrokenPlatform {
  url: string;
  close(): Promise<void>;
}

/** A proxy in front of a correct sandbox that adds one fault, to prove that the checks can fail. */
export async function startBrokenPlatform(sandbox: Sandbox, alter: Alter): Promise<BrokenPlatform> {
  const app = fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text));
  app.setNotFoundHandler(async ({ method, url, headers, body }, reply) => {
    if (alter.isBusy?.()) {
      return reply
        .code(429)
        .header('retry-after', '0')
        .send({ error: { code: 'slow_down', message: 'm' } });
    }
    const authorization = alter.header?.(headers.authorization) ?? headers.authorization;
    const key = headers['idempotency-key'];
    const fence = typeof headers.fence === 'string' ? (alter.fence?.(headers.fence) ?? headers.fence) : undefined;
    const response = await fetch(sandbox.url + (alter.url?.(url) ?? url), {
      method,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(typeof key === 'string' ? { 'idempotency-key': key } : {}),
        ...(fence === undefined ? {} : { fence }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: typeof body === 'string' && body !== '' ? body : null,
    });
    const text = await response.text();
    const answer = text === '' ? undefined : JSON.parse(text);
    reply.code(response.status).type('application/json');
    return reply.send(answer && JSON.stringify(alter.body?.(answer, url, method) ?? answer));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}
