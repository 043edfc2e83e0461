/** The longest time that a timer can have. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Runs the work with a signal that aborts after `milliseconds` with `reason`, or when the caller's signal does. Neither a
 * timer nor a listener remains.
 */
export const limited = async <Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  reason: Error,
  signal: AbortSignal | undefined,
): Promise<Result> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(reason), Math.min(milliseconds, MAX_TIMER));
  signal?.addEventListener('abort', follow, { once: true });
  // A `fetch` that the caller gave may not heed the signal.
  const aborted = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', follow);
  }
};
