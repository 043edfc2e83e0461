import { randomUUID } from 'node:crypto';
import { DAY, type KeyId, SECOND } from '#kernel';
import { CALLS_BY_DAY, type CallsOfDay, DAYS_KEPT, dayOf } from '../../../libs/dashboard/src/requests/counted-calls.js';
import {
  batchesOf,
  REFUSED_KEPT,
  REFUSED_REQUESTS,
  type RefusedRequest,
} from '../../../libs/dashboard/src/requests/refused-request.js';
import type { Services } from '../../support/open-service.js';
import { AGENCY } from './bench-agency.js';

const ROUTES = [
  'GET /v1/creators',
  'GET /v1/creators/{id}',
  'POST /v1/creators/{id}/scans',
  'GET /v1/scans/{id}',
  'GET /v1/events',
];
const PUTS = 500;
const MINUTES = new Array<number>(60).fill(ROUTES.length);

/** What processes count of keys that are used in each minute, on five routes, and a full log of refused requests. */
export const fillRequestLog = async ({ documents }: Services, keyIds: readonly KeyId[]): Promise<string> => {
  const now = Date.now();
  const refused = Array.from({ length: REFUSED_KEPT }, (_, n): RefusedRequest => {
    const keyId = keyIds[n % keyIds.length] as KeyId;
    const problems = [{ field: 'display_name', rule: 'must be a text of 1 to 160 characters' }];
    const code = n % 3 === 0 ? 'rate_limited' : 'invalid_request';
    const route = ROUTES[n % ROUTES.length] ?? '';
    return { requestId: randomUUID(), at: now - n * SECOND, keyId, route, status: 400, code, problems };
  });
  const all = [...keyIds, null];
  const days = all.flatMap((keyId) =>
    Array.from({ length: DAYS_KEPT }, (_, n): CallsOfDay => {
      const routes = ROUTES.map((route) => ({ route, hours: new Array<number>(24).fill(60) }));
      return {
        id: randomUUID(),
        agencyId: AGENCY,
        keyId,
        day: dayOf(now - n * DAY),
        calls: ROUTES.length * 24 * 60,
        routes,
        minutes: Object.fromEntries(routes.flatMap(({ hours }) => hours.map((_, hour) => [hour, MINUTES]))),
      };
    }),
  );
  for (const [collection, documentsOf] of [
    [REFUSED_REQUESTS, batchesOf(AGENCY, refused.toReversed())],
    [CALLS_BY_DAY, days],
  ] as const) {
    for (let from = 0; from < documentsOf.length; from += PUTS) {
      await documents.write([{ collection: collection.name, put: documentsOf.slice(from, from + PUTS) }]);
    }
  }
  return refused[0]?.requestId ?? '';
};
