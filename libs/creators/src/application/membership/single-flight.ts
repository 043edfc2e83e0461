import { DomainError, type Duration } from '#kernel';

interface Run<Outcome> {
  readonly signal: AbortSignal;
  readonly answer: Promise<Outcome>;
  /** Resolves when nothing of it is under way any more. */
  readonly ended: Promise<unknown>;
}

/** Work of requests: one run at a time for each key in this process, which later requests join, each within its budget. */
export class SingleFlight<Outcome> {
  private readonly underWay = new Map<string, Run<Outcome>>();

  /** `work` stops at the signal, which gives the reason. */
  run(key: string, budget: Duration, work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    return withinBudget(budget, async (signal) => {
      for (;;) {
        const run = this.underWay.get(key);
        if (run === undefined) return this.start(key, signal, work).answer;
        if (!run.signal.aborted) return run.answer;
        // Its budget is used up and it is about to end: a second one at the same time would only repeat the work.
        await rejectedBy(signal, run.ended);
      }
    });
  }

  private start(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<Outcome>): Run<Outcome> {
    const work = begin(signal);
    const ended = work.catch(() => undefined).finally(() => this.underWay.delete(key));
    const run = { signal, answer: rejectedBy(signal, work), ended };
    this.underWay.set(key, run);
    return run;
  }
}

/** The task's outcome, or the signal's reason if that comes first. */
const rejectedBy = async <T>(signal: AbortSignal, task: Promise<T>): Promise<T> => {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

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
