import { acceptedLoads } from './accepted-loads.js';
import { SCALE } from './figures.js';
import type { PostScanReady } from './processes/post-scan-app.js';

const WARM = 1_600;
const COUNTED = Math.max(320, Math.round(6_400 * SCALE));

/** Scans accepted a second, with all that follows from each. Each is of another creator under another key. */
export default {
  name: 'POST /v1/creators/{id}/scans on durable stores, against stores in memory',
  wanted: 0.8,
  run: (dir: string) =>
    acceptedLoads<PostScanReady>(dir, {
      unit: 'scans/s',
      sandbox: { agencyId: 'agency_bench', creators: WARM + COUNTED },
      app: 'post-scan-app',
      warm: WARM,
      requests: ({ key, creatorIds }) =>
        creatorIds.map((creatorId, n) => ({
          method: 'POST',
          path: `/v1/creators/${creatorId}/scans`,
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': `bench-${n}`,
          },
          body: '{}',
        })),
    }),
};
