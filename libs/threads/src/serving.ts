import { parentPort, workerData } from 'node:worker_threads';

/** Asks the thread to end; no request is like it. */
export const CLOSE = null;

/** What a thread does with its requests. */
export interface Serving<Request, Answer> {
  /** One after the other. What it throws ends the thread, and fails all that has been asked. */
  answer(request: Request): Answer;
  close(): void;
}

/** To be called by a thread's module: answers what the `WriterThread` asks, until that closes. */
export const answerRequests = <Settings, Request, Answer>(
  open: (settings: Settings) => Serving<Request, Answer>,
): void => {
  const port = parentPort;
  if (port === null) throw new Error('to be run as a thread');
  const serving = open(workerData as Settings);
  port.on('message', (request: Request | typeof CLOSE) => {
    if (request !== CLOSE) {
      port.postMessage(serving.answer(request));
      return;
    }
    serving.close();
    port.close();
  });
};
