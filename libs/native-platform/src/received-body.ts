import type { AgencyShares } from './agency-shares.js';
import type { Call } from './call.js';
import { AnswerTooLong, ProviderError } from './provider-error.js';

/** Usual answers are far smaller; a page of the longest leaks is larger. */
const LARGE_BYTES = 128 * 1024;

/** Whether the headers say that the answer has the size of a usual one. */
export const isShort = (contentLength: string | string[] | undefined): boolean =>
  typeof contentLength === 'string' && Number(contentLength) <= LARGE_BYTES;

/**
 * The bytes of an answer. The rest of a large one is received in the agency's turn; until then it waits at the
 * sender. Leaving the loop early breaks the connection, so that the rest of a too long answer is not received.
 */
export const receivedBody = async (
  call: Call,
  agency: string | undefined,
  body: AsyncIterable<Uint8Array>,
  shares: AgencyShares,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  const rest = body[Symbol.asyncIterator]();
  let bytes = 0;
  let isTooLong = false;
  const receive = async (most: number): Promise<boolean> => {
    while (bytes <= most && !isTooLong) {
      const { done, value } = await rest.next();
      if (done === true) return true;
      bytes += value.length;
      chunks.push(value);
      isTooLong = bytes > (call.maxBytes ?? Number.POSITIVE_INFINITY);
    }
    return false;
  };
  try {
    if (!(await receive(LARGE_BYTES)) && !isTooLong) {
      const all = () => receive(Number.POSITIVE_INFINITY).then(() => bytes * (call.weight ?? 1));
      const received = agency === undefined ? await all() : await shares.receive(agency, all, signal);
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
  if (isTooLong) throw new AnswerTooLong(call.operation, call.maxBytes ?? 0);
  return Buffer.concat(chunks, bytes);
};
