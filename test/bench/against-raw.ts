import { comparedLoads } from './compared-loads.js';
import { type Figures, SCALE } from './figures.js';
import type { Load, LoadResult, Request } from './processes/load.js';
import { startProcess } from './processes/start-process.js';

const CONNECTIONS = 20;
const ROUNDS = 5;
/** Until the compiler has seen what is hot. */
const WARM = 6;
const SECONDS = Math.max(1, Math.round(4 * SCALE));

/** Answers a second of the service, against those of a raw server to the same requests in the same rounds. */
export const againstRaw = async (
  dir: string,
  serviceUrl: string,
  rawUrl: string,
  requests: readonly Request[],
): Promise<Figures> => {
  const load = await startProcess<object>('load', dir, {});
  const measure = async (url: string, seconds = SECONDS): Promise<LoadResult> => {
    const asked: Load = { url, connections: CONNECTIONS, requests, seconds };
    const result = await load.ask<LoadResult>(asked);
    if (result.failures > 0) throw new Error(`${result.failures} requests to ${url} failed`);
    return result;
  };
  const values: LoadResult[] = [];
  const floors: LoadResult[] = [];
  for (const url of [rawUrl, serviceUrl]) await measure(url, WARM);
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(await measure(rawUrl));
    values.push(await measure(serviceUrl));
  }
  await load.stop();
  return comparedLoads(values, floors, { unit: 'requests/s', floorName: 'raw' });
};
