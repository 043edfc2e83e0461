import { againstRaw } from './against-raw.js';
import type { GetScanReady } from './processes/get-scan-api.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';

const SCANS = 1_000;

/** Answers a second of the whole API, against Fastify with the same read and nothing else. */
export default {
  name: 'GET /v1/scans/{id}, against raw Fastify with the same point read',
  wanted: 0.45,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: SCANS });
    const api = await startProcess<GetScanReady>('get-scan-api', dir, { dir, sandbox: sandbox.ready });
    const raw = await startProcess<{ url: string }>('get-scan-raw', dir, { dir });
    const { key, scanIds } = api.ready;
    const requests = scanIds.map((id) => {
      const headers = { authorization: `Bearer ${key}` };
      return { method: 'GET' as const, path: `/v1/scans/${id}`, headers };
    });
    const figures = await againstRaw(dir, api.ready.url, raw.ready.url, requests);
    for (const started of [api, raw, sandbox]) await started.stop();
    return figures;
  },
};
