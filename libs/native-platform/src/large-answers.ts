import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Duration, FairSemaphore, SECOND } from '#kernel';
import type { Call } from './call.js';
import { AnswerTooLong, ProviderError } from './provider-error.js';

/** Reading a mebibyte and comparing it with what is known takes some 50 ms, during which nothing else runs. */
const LARGE_BYTES_PER_SECOND = 1024 * 1024;
const CACHE_SIZE = 1_000;

/** Limits large answers to one agency, so that they delay no other agency: one at a time, at a bounded rate. */
export class LargeAnswers {
  private readonly permits = new FairSemaphore({ perAgency: 1 });
  /** Until when an agency's last large answer counts against its rate. */
  private readonly paidAt = new LRUCache<string, number>({ max: CACHE_SIZE });

  constructor(
    private readonly timeout: Duration,
    private readonly bytesPerSecond = LARGE_BYTES_PER_SECOND,
  ) {}

  /** `receive` returns how many bytes it counts as. Undefined if the turn does not come in time. */
  receive(agency: string, receive: () => Promise<number>, signal: AbortSignal): Promise<number | undefined> {
    const inTurn = async () => {
      const wait = (this.paidAt.get(agency) ?? 0) - performance.now();
      if (wait > 0) await delay(wait, undefined, { signal });
      const bytes = await receive();
      // Never so long that the next answer cannot get its turn in time.
      const pause = Math.min((bytes / this.bytesPerSecond) * SECOND, this.timeout / 2);
      this.paidAt.set(agency, performance.now() + pause);
      return bytes;
    };
    return this.permits.run(agency, inTurn, { timeout: this.timeout });
  }
}

/** Usual answers are far smaller; a page of the longest leaks is larger. */
const LARGE_BYTES = 128 * 1024;

export const isUsual = (contentLength: number): boolean => contentLength <= LARGE_BYTES;

/**
 * The bytes of an answer. The rest of a large one is received in the agency's turn; until then it waits at the
 * sender. Leaving the loop early breaks the connection, so that the rest of a too long answer is not received.
 * `contentLength` is NaN where the headers do not give it.
 */
export const receivedBody = async (
  call: Call,
  agency: string | undefined,
  { body, contentLength }: { readonly body: AsyncIterable<Uint8Array>; readonly contentLength: number },
  large: LargeAnswers,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  const rest = body[Symbol.asyncIterator]();
  const { maxBytes = Number.POSITIVE_INFINITY } = call;
  let bytes = 0;
  let isTooLong = false;
  const receive = async (most: number): Promise<boolean> => {
    while (bytes <= most && !isTooLong) {
      const { done, value } = await rest.next();
      if (done === true) return true;
      bytes += value.length;
      chunks.push(value);
      isTooLong = bytes > maxBytes || contentLength > maxBytes;
    }
    return false;
  };
  try {
    // A body that is known to be large waits for its turn after its first chunk.
    const isComplete = await receive(contentLength > LARGE_BYTES ? 0 : LARGE_BYTES);
    if (!isComplete && !isTooLong) {
      const all = () => receive(Number.POSITIVE_INFINITY).then(() => bytes * (call.weight ?? 1));
      const received = agency === undefined ? await all() : await large.receive(agency, all, signal);
      if (received === undefined)
        throw new ProviderError(
          'provider_timeout',
          call.operation,
          'the turn of the agency for a large answer did not come in time',
        );
    }
  } finally {
    await rest.return?.();
  }
  if (isTooLong) throw new AnswerTooLong(call.operation, maxBytes);
  return Buffer.concat(chunks, bytes);
};
