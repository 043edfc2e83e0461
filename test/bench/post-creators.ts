import { acceptedLoads } from './accepted-loads.js';
import { SCALE } from './figures.js';
import type { PostCreatorsReady } from './processes/post-creators-app.js';

const WARM = 800;
const COUNTED = Math.max(320, Math.round(3_200 * SCALE));

/** Creators invited a second, with all that follows from each. Bodies are about as long as clients send them. */
export default {
  name: 'POST /v1/creators on durable stores, against stores in memory',
  wanted: 0.7,
  run: (dir: string) =>
    acceptedLoads<PostCreatorsReady>(dir, {
      unit: 'enrollments/s',
      sandbox: { agencyId: 'agency_bench', creators: 1, slots: WARM + COUNTED },
      app: 'post-creators-app',
      warm: WARM,
      requests: ({ key, workspaceId }) =>
        Array.from({ length: WARM + COUNTED }, (_, n) => ({
          method: 'POST',
          path: '/v1/creators',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify(enrollment(workspaceId, n)),
        })),
    }),
};

const enrollment = (workspaceId: string, n: number) => ({
  workspace_id: workspaceId,
  external_id: `creator-${n}`,
  display_name: 'Jane Example',
  aliases: ['Jane E.', 'Janie', 'jane official', 'jane example', 'J. Example'],
  profile_urls: [
    `https://onlyfans.com/jane_example_${n}`,
    `https://www.instagram.com/jane.example.${n}`,
    `https://x.com/janeexample${n}`,
    `https://www.tiktok.com/@jane.example.${n}`,
    `https://fansly.com/jane_example_${n}`,
  ],
  email: `jane.${n}@example.com`,
  first_name: 'Jane',
  last_name: 'Example',
  locale: 'en',
});
