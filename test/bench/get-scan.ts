import { comparedLoads } from './compared-loads.js';
import { SCALE } from './figures.js';
import type { GetScanReady } from './processes/get-scan-api.js';
import type { Load, LoadResult } from './processes/load.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const SCANS = 1_000;
const CONNECTIONS = 20;
const ROUNDS = 5;
/** Until the compiler has seen what is hot. */
const WARM = 6;
const SECONDS = Math.max(1, Math.round(4 * SCALE));

/** Answers a second of the whole API, against Fastify with the same read and nothing else. */
export default {
  name: 'GET /v1/scans/{id}, against raw Fastify with the same point read',
  wanted: 0.45,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: SCANS });
    const api = await startProcess<GetScanReady>('get-scan-api', dir, { dir, sandbox: sandbox.ready });
    const raw = await startProcess<{ url: string }>('get-scan-raw', dir, { dir });
    const load = await startProcess<object>('load', dir, {});
    const { key, scanIds } = api.ready;
    const requests = scanIds.map((id) => {
      const headers = { authorization: `Bearer ${key}` };
      return { method: 'GET' as const, path: `/v1/scans/${id}`, headers };
    });
    const measure = async (url: string, seconds = SECONDS): Promise<LoadResult> => {
      const asked: Load = { url, connections: CONNECTIONS, requests, seconds };
      const result = await load.ask<LoadResult>(asked);
      if (result.failures > 0) throw new Error(`${result.failures} requests to ${url} failed`);
      return result;
    };
    const values: LoadResult[] = [];
    const floors: LoadResult[] = [];
    for (const { ready } of [raw, api]) await measure(ready.url, WARM);
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await measure(raw.ready.url));
      values.push(await measure(api.ready.url));
    }
    for (const started of [load, api, raw, sandbox]) await started.stop();
    return comparedLoads(values, floors, { unit: 'requests/s', floorName: 'raw' });
  },
};
