import { parentPort, workerData } from 'node:worker_threads';

/** The message that ends the thread; no request equals it. */
export const CLOSE = null;

export interface Serving<Request, Answer> {
  /** One request after the other. An error of it ends the thread, and fails all requests that wait. */
  answer(request: Request): Answer;
  close(): void;
}

/** The module of a thread calls it: it answers the requests of the `WriterThread` until that closes. */
export const answerRequests = <Settings, Request, Answer>(
  open: (settings: Settings) => Serving<Request, Answer>,
): void => {
  const port = parentPort;
  if (port === null) throw new Error('this module must be run as a thread');
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
