import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { comparedLoads } from './compared-loads.js';
import type { Figures } from './figures.js';
import type { Load, LoadResult, Request } from './processes/load.js';
import type { SandboxReady, SandboxSettings } from './processes/sandbox.js';
import type { StoreKind } from './processes/service.js';
import { startProcess } from './processes/start-process.js';

const CONNECTIONS = 32;
const ROUNDS = 3;

export interface AppSettings {
  readonly dir: string;
  readonly stores: StoreKind;
  readonly sandbox: SandboxReady;
}

export interface AcceptedLoad<Ready> {
  readonly unit: string;
  readonly sandbox: SandboxSettings;
  /** The module of `processes` that starts the service with `AppSettings`. */
  readonly app: string;
  /** Each is sent once, and has to be accepted. */
  requests(ready: Ready): readonly Request[];
  /** Requests until the compiler has seen what is hot; they are not counted. */
  readonly warm: number;
}

/** Requests accepted a second on durable stores, against the same on stores in memory; all is new in each round. */
export const acceptedLoads = async <Ready extends { readonly url: string }>(
  dir: string,
  bench: AcceptedLoad<Ready>,
): Promise<Figures> => {
  const values: LoadResult[] = [];
  const floors: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    floors.push(await inMemory((inMemoryDir) => accept(inMemoryDir, 'memory', bench)));
    const roundDir = join(dir, `durable-${round}`);
    await mkdir(roundDir);
    values.push(await accept(roundDir, 'durable', bench));
  }
  return comparedLoads(values, floors, { unit: bench.unit, floorName: 'in memory' });
};

const inMemory = async <T>(task: (dir: string) => Promise<T>): Promise<T> => {
  const dir = await mkdtemp('/dev/shm/bench-');
  try {
    return await task(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
};

const accept = async <Ready extends { readonly url: string }>(
  dir: string,
  stores: StoreKind,
  bench: AcceptedLoad<Ready>,
): Promise<LoadResult> => {
  const sandbox = await startProcess<SandboxReady>('sandbox', dir, bench.sandbox);
  const settings: AppSettings = { dir, stores, sandbox: sandbox.ready };
  const app = await startProcess<Ready>(bench.app, dir, settings);
  const load = await startProcess<object>('load', dir, {});
  const requests = bench.requests(app.ready);
  const send = async (some: readonly Request[]): Promise<LoadResult> => {
    const asked: Load = { url: app.ready.url, connections: CONNECTIONS, requests: some };
    const result = await load.ask<LoadResult>(asked);
    if (result.failures > 0) throw new Error(`${result.failures} requests failed`);
    return result;
  };
  await send(requests.slice(0, bench.warm));
  const result = await send(requests.slice(bench.warm));
  for (const started of [load, app, sandbox]) await started.stop();
  return result;
};
