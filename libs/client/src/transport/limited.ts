import { startTimer } from './clock.js';

/**
 * Runs the work with a signal that aborts after `milliseconds`, which gives `late`, or when the caller's signal does, which
 * rejects with its reason. Neither a timer nor a listener remains.
 */
export const limited = async <Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  late: Result,
  signal: AbortSignal | undefined,
): Promise<Result> => {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const timer = startTimer(abort, milliseconds);
  signal?.addEventListener('abort', abort, { once: true });
  // A `fetch` that the caller gave may not heed the signal.
  const aborted = new Promise<Result>((resolve, reject) => {
    const end = () => (signal?.aborted ? reject(signal.reason) : resolve(late));
    controller.signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([aborted, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
};
