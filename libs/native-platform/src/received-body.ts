import type { Call } from './call.js';
import type { LargeAnswers } from './large-answers.js';
import { AnswerTooLong, ProviderError } from './provider-error.js';

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
    // Of what is known to be large only the first chunk is held while it waits for its turn.
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
