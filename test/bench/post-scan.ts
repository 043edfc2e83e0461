import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { comparedLoads } from './compared-loads.js';
import { SCALE } from './figures.js';
import type { Load, LoadResult, Request } from './processes/load.js';
import type { PostScanReady, PostScanSettings } from './processes/post-scan-app.js';
import type { SandboxReady } from './processes/sandbox.js';
import type { StoreKind } from './processes/service.js';
import { startProcess } from './processes/start-process.js';

const CONNECTIONS = 32;
const ROUNDS = 3;
/** Requests until the compiler has seen what is hot; they are not counted. */
const WARM = 1_600;
const COUNTED = Math.max(320, Math.round(6_400 * SCALE));

/** Scans accepted a second, with all that follows from each, against the same on stores in memory. */
export default {
  name: 'POST /v1/creators/{id}/scans on durable stores, against stores in memory',
  wanted: 0.8,
  async run(dir: string) {
    const values: LoadResult[] = [];
    const floors: LoadResult[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await inMemory((inMemoryDir) => accept(inMemoryDir, 'memory')));
      const roundDir = join(dir, `durable-${round}`);
      await mkdir(roundDir);
      values.push(await accept(roundDir, 'durable'));
    }
    return comparedLoads(values, floors, { unit: 'scans/s', floorName: 'in memory' });
  },
};

const inMemory = async <T>(task: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp('/dev/shm/post-scan-');
  try {
    return await task(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
};

/** Each request is for another creator under another key, so that each is accepted; all is new in each round. */
const accept = async (dir: string, stores: StoreKind): Promise<LoadResult> => {
  const creators = WARM + COUNTED;
  const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators });
  const settings: PostScanSettings = { dir, stores, sandbox: sandbox.ready };
  const app = await startProcess<PostScanReady>('post-scan-app', dir, settings);
  const load = await startProcess<object>('load', dir, {});
  const { url, key, creatorIds } = app.ready;
  const requests = creatorIds.map(
    (creatorId, n): Request => ({
      method: 'POST',
      path: `/v1/creators/${creatorId}/scans`,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `bench-${n}`,
      },
      body: '{}',
    }),
  );
  const send = async (some: readonly Request[]): Promise<LoadResult> => {
    const asked: Load = { url, connections: CONNECTIONS, requests: some };
    const result = await load.ask<LoadResult>(asked);
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result;
  };
  await send(requests.slice(0, WARM));
  const result = await send(requests.slice(WARM));
  for (const started of [load, app, sandbox]) await started.stop();
  return result;
};
