import autocannon from 'autocannon';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly requests: readonly Request[];
  /** Repeats the requests for this long; sends each request once if omitted. */
  readonly seconds?: number;
  /** The maximum rate, evenly spaced; unlimited if omitted. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p99: number;
  /** Answers other than 2xx, and errors. */
  readonly failures: number;
}

/** Sends what it is asked to, from a separate process, so that it takes no turn from what is measured. */
const send = async ({ url, connections, requests, seconds, perSecond: overallRate }: Load): Promise<LoadResult> => {
  let client = 0;
  let lastAnswer = 0;
  const began = performance.now();
  const run = autocannon({
    url,
    connections,
    ...(seconds === undefined ? { amount: requests.length } : { duration: seconds }),
    ...(overallRate !== undefined && { overallRate }),
    // Each connection has its own share, or its own place to begin.
    setupClient: (connection) => {
      const n = client++;
      const own = requests.filter((_, index) => index % connections === n % requests.length);
      connection.setRequests(own);
    },
  });
  run.on('response', () => {
    lastAnswer = performance.now();
  });
  const { '2xx': succeeded, non2xx, errors, timeouts, latency } = await run;
  const perSecond = (succeeded * 1_000) / (lastAnswer - began);
  return { perSecond, p99: latency.p99, failures: non2xx + errors + timeouts };
};

await settingsOf<object>();
sendToParent({});
process.on('message', (load) => {
  send(load as Load).then(sendToParent);
});
