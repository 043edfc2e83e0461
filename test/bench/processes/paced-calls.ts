import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface PacedCallsSettings {
  readonly url: string;
  readonly key: string;
  readonly paths: readonly string[];
}

export interface PacedCalls {
  readonly perSecond: number;
  readonly seconds: number;
}

export interface CallsTook {
  /** In milliseconds, from when the call was due. */
  readonly p99: number;
  readonly failures: number;
}

/** Calls at a fixed rate, whether earlier ones were answered or not: one that waits for another counts its wait. */
const { url, key, paths } = await settingsOf<PacedCallsSettings>();
const pool = new Pool(url, { connections: 50 });

const call = async (path: string, due: number) => {
  const headers = { authorization: `Bearer ${key}` };
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  await body.dump();
  return { isFailure: statusCode !== 200, ms: performance.now() - due };
};

process.on('message', async ({ perSecond, seconds }: PacedCalls) => {
  const began = performance.now();
  const calls = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = began + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 1) await delay(early);
    calls.push(call(paths[n % paths.length] ?? '', due));
  }
  const answers = await Promise.all(calls);
  const took = answers.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const failures = answers.filter(({ isFailure }) => isFailure).length;
  sendToParent({ p99: took[Math.floor(took.length * 0.99)] ?? Number.NaN, failures } satisfies CallsTook);
});
sendToParent({});
