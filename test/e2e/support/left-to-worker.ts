import { eventually } from '#testing';
import type { Services } from '../../support/open-service.js';

/**
 * Runs requests, and waits until one of them has left the rest of its records to the worker (D80): it answers before that,
 * so right after the answer the worker may not have been asked yet.
 */
export const leavingToWorker = async <T>({ commandTasks }: Services, requests: () => Promise<T>): Promise<T> => {
  const { runNow } = commandTasks;
  let isLeft = false;
  commandTasks.runNow = async (...given) => {
    await runNow.apply(commandTasks, given);
    isLeft = true;
  };
  try {
    const answered = await requests();
    await eventually(() => {
      if (!isLeft) throw new Error('no request has left anything to the worker');
    });
    return answered;
  } finally {
    commandTasks.runNow = runNow;
  }
};
