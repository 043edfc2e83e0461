import { randomUUID } from 'node:crypto';
import { DAY, type Document, derivedId, HOUR, type WebhookEndpointId } from '#kernel';
import { publicEventId } from '../../../libs/event-feed/src/domain/public-event.js';
import { deliveryIdOf } from '../../../libs/webhooks/src/domain/webhook-delivery.js';
import type { Agency } from './agency.js';
import type { Service } from './service.js';

const DELIVERIES = 12_000;
const ENDPOINTS = 1_000;
const CASES = 2_500;
const INTERVALS = 49_000;
const KEYS = 5_000;
const KEYS_WITH_CALLS = 300;
const BATCHES = 20;
const PUT_AT_ONCE = 5_000;

const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

const put = async ({ services }: Service, collection: string, documents: readonly Document[]): Promise<void> => {
  for (let n = 0; n < documents.length; n += PUT_AT_ONCE) {
    await services.documents.write([{ collection, put: documents.slice(n, n + PUT_AT_ONCE) }]);
  }
};

/** Gives an agency about as much of everything as its dashboard shows at most. The log knows nothing of it. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a list, one entry for each collection
export const fillDashboard = async (service: Service, agency: Agency, creatorId: string): Promise<void> => {
  const { live } = service.services;
  const fill = async (name: string, version: number, documents: readonly Document[]) =>
    put(service, await live.of({ name, version }), documents);
  const now = service.clock.now();
  const agencyId = agency.id;
  const endpointIds = many(ENDPOINTS, (n) => derivedId('webhookEndpoint', `${n}`));
  const [endpointId = '' as WebhookEndpointId] = endpointIds;
  const event = { creatorId, eventType: 'case.created' };
  const eventIds = many(DELIVERIES, (n) => publicEventId(`${n}`, now - DAY + n, 'case.created'));
  const { workspaceId } = agency;
  await fill(
    'feed_events',
    1,
    eventIds.map((id, revision) => ({ id, workspaceId, ...event, revision })),
  );
  const tried = { at: now, attempts: 3, lastStatus: 200, lastError: null, replay: null };
  await fill(
    'webhook_deliveries',
    6,
    eventIds.map((eventId, feedRevision) => ({
      id: deliveryIdOf(endpointId, eventId),
      ...{ agencyId, endpointId, ...event, eventId, feedRevision, ...tried },
      status: feedRevision % 2 === 0 ? 'failed' : 'delivered',
    })),
  );
  await fill(
    'webhook_endpoints',
    4,
    endpointIds.map((id, n) => ({
      ...{ id, agencyId, url: `https://hooks.example/${n}`, epoch: 1, createdAt: n, types: null, failingSince: null },
      ...{ status: 'active', disabledBecause: null },
    })),
  );
  const hours = many(168, (n) => ({ hour: now - (now % HOUR) - n * HOUR, delivered: 9, failed: 2, timed: 9, ms: 99 }));
  await fill(
    'webhook_endpoint_health',
    1,
    endpointIds.map((id) => ({ id, pending: 3, lastFailureAt: now, hours })),
  );
  const finding = { status: 'Reported', statusCode: 'reported', actionable: true, deadOnArrival: null };
  const url = 'https://leaks.example/'.padEnd(2_000, 'y');
  await fill(
    'cases',
    1,
    many(CASES, (n) => derivedId('case', `${n}`)).map((id) => ({
      ...{ id, caseId: id, creatorId, leakId: id, scanId: null, available: true },
      finding: { ...finding, url, createdAt: now, updatedAt: now },
    })),
  );
  const month = new Date(now).toISOString().slice(0, 7);
  const interval = { workspaceId, month, isOpen: 0 };
  await fill(
    'usage_intervals',
    2,
    many(INTERVALS, (n) => {
      const from = now - (n + 1) * 1_000;
      return { id: `${n}`, ...interval, creatorId: derivedId('creator', `${n % 500}`), from, to: from + 999 };
    }),
  );
  const key = { agencyId, epoch: 1, scopes: ['read'], expiresAt: null, revokedAt: null };
  const keyIds = many(KEYS, (n) => derivedId('key', `${n}`));
  await fill(
    'keys',
    2,
    keyIds.map((id, n) => ({ id, ...key, name: `Key ${n}`, createdAt: n })),
  );
  const routes = many(20, (n) => ({ route: `GET /v1/route${n}`, hours: Array(24).fill(3) }));
  const today = Math.floor(now / DAY);
  await put(
    service,
    'calls_by_day',
    [null, ...keyIds.slice(0, KEYS_WITH_CALLS)].flatMap((keyId) =>
      many(31, (n) => ({ id: `${keyId} ${n}`, agencyId, keyId, calls: 1_440, day: today - n, routes })),
    ),
  );
  const left = many(50, (n) => ({ id: `${n}`, reason: 'x'.repeat(100), since: now }));
  await put(
    service,
    'left_out_records',
    many(1_000, (n) => ({
      ...{ id: `leak ${n}`, agencyId, creatorId: derivedId('creator', `${n}`), kind: 'leak' },
      ...{ walkedAt: now, count: 50, records: left },
    })),
  );
  const problems = many(5, (n) => ({ field: `field ${n}`, rule: 'x'.repeat(150) }));
  const refused = { keyId: keyIds[0], route: 'GET /v1/creators/{id}', status: 400, code: 'invalid_request', problems };
  await put(
    service,
    'refused_requests',
    many(BATCHES, (n) => ({
      ...{ id: randomUUID(), agencyId, at: now - n, count: 50 },
      requests: many(50, () => ({ requestId: randomUUID(), at: now - n, ...refused })),
    })),
  );
};
