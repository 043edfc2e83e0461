import { expect, test } from '@jest/globals';
import type { Call } from './call.js';
import { LargeAnswers, receivedBody } from './large-answers.js';

const CALL: Call = { operation: 'getCreator', method: 'GET', path: ['agencies', 'ag_lumen'] };
const CHUNK = new Uint8Array(16 * 1024);
const CHUNKS = 64;

/** A mebibyte in chunks; `taken` counts those that were received. */
const mebibyte = () => {
  const body = {
    taken: 0,
    async *[Symbol.asyncIterator]() {
      for (; body.taken < CHUNKS; body.taken++) yield CHUNK;
    },
  };
  return body;
};

test.each([
  ['only one chunk, if the headers say that it is large', CHUNKS * CHUNK.length, 1],
  ['128 KiB, if they do not', Number.NaN, 9],
])('of a large answer that waits for its turn, this is held: %s', async (_, contentLength, held) => {
  const large = new LargeAnswers(60_000);
  const turn = Promise.withResolvers<number>();
  const { signal } = new AbortController();
  const before = large.receive('ag_lumen', () => turn.promise, signal);
  const body = mebibyte();
  const received = receivedBody(CALL, 'ag_lumen', { body, contentLength }, large, signal);
  await new Promise(setImmediate);
  // The one that was received last is not counted until the next is asked for.
  expect(body.taken + 1).toBe(held);
  turn.resolve(0);
  await before;
  expect((await received).length).toBe(CHUNKS * CHUNK.length);
});
