import { DomainError, type Duration } from '#kernel';

/** Runs the task with a signal that is aborted with `provider_timeout` after the time budget of a request (D80). */
export const withinBudget = async <T>(budget: Duration, task: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DomainError('provider_timeout', { cause: new Error('the synchronization takes too long') }));
  }, budget);
  try {
    return await task(controller.signal);
  } finally {
    clearTimeout(timer);
  }
};
