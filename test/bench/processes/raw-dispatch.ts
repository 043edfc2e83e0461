import { Pool } from 'undici';
import { sendToParent, settingsOf } from '../../support/child-process.js';

export interface RawDispatchSettings {
  readonly url: string;
  readonly count: number;
  readonly concurrency: number;
}

/** Posts bodies as large as an event's, unsigned and unrecorded, as fast as undici can. */
const { url, count, concurrency } = await settingsOf<RawDispatchSettings>();
const { origin, pathname: path } = new URL(url);
const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
const body = Buffer.from(`{"created_at":0,"data":"${'x'.repeat(300)}"}`);
const headers = { 'content-type': 'application/json' };

const post = async (): Promise<void> => {
  const response = await pool.request({ method: 'POST', path, headers, body });
  await response.body.dump();
};

process.on('message', async () => {
  const began = performance.now();
  let left = count;
  const worker = async () => {
    while (left-- > 0) await post();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  sendToParent({ perSecond: (count * 1_000) / (performance.now() - began) });
});
sendToParent({});
