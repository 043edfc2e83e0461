import { randomUUID } from 'node:crypto';
import { DAY, type Document, derivedId, HOUR, type Instant } from '#kernel';
import { publicEventId } from '../../libs/event-feed/src/domain/public-event.js';
import { deliveryIdOf } from '../../libs/webhooks/src/domain/webhook-delivery.js';
import type { Services } from './open-service.js';

/** How much of each the agency has. */
export interface DashboardSize {
  readonly events: number;
  /** They are deliveries of the latest events. */
  readonly deliveries: number;
  readonly endpoints: number;
  readonly cases: number;
  readonly intervals: number;
  readonly keys: number;
  /** Keys whose calls are counted. */
  readonly keysInUse: number;
}

export interface LargeAgency {
  readonly agencyId: string;
  readonly workspaceId: string;
  readonly creatorId: string;
  readonly now: Instant;
}

const BATCHES = 20;
const PUT_AT_ONCE = 5_000;
export const EVENT_TYPE = 'case.created';

const many = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));

/** Fills the collections that the dashboard shows, and returns ids in them. The log knows nothing of it. */
export const fillDashboard = async ({ documents, live }: Services, of: LargeAgency, size: DashboardSize) => {
  const { agencyId, workspaceId, creatorId, now } = of;
  const put = async (collection: string, count: number, one: (n: number) => Document): Promise<void> => {
    for (let from = 0; from < count; from += PUT_AT_ONCE) {
      const some = many(Math.min(PUT_AT_ONCE, count - from), (n) => one(from + n));
      await documents.write([{ collection, put: some }]);
    }
  };
  const fill = async (name: string, version: number, count: number, one: (n: number) => Document) =>
    put(await live.of({ name, version }), count, one);
  const endpointIdOf = (n: number) => derivedId('webhookEndpoint', `${n}`);
  const keyIdOf = (n: number) => derivedId('key', `${n}`);
  const eventIdOf = (n: number) => publicEventId(`${n}`, now - DAY + n, EVENT_TYPE);
  const event = { creatorId, eventType: EVENT_TYPE };
  await fill('feed_events', 1, size.events, (n) => ({ id: eventIdOf(n), workspaceId, ...event, revision: n }));
  const tried = { at: now, attempts: 3, lastStatus: 200, lastError: null, replay: null };
  const delivered = size.events - size.deliveries;
  const deliveryId = (n: number) => deliveryIdOf(endpointIdOf(0), eventIdOf(delivered + n));
  await fill('webhook_deliveries', 6, size.deliveries, (n) => ({
    id: deliveryId(n),
    ...{ agencyId, endpointId: endpointIdOf(0), ...event, eventId: eventIdOf(delivered + n), ...tried },
    feedRevision: delivered + n,
    status: n % 2 === 0 ? 'failed' : 'delivered',
  }));
  await fill('webhook_endpoints', 4, size.endpoints, (n) => ({
    ...{ id: endpointIdOf(n), agencyId, url: `https://hooks.example/${n}`, epoch: 1, createdAt: n, types: null },
    ...{ failingSince: null, status: 'active', disabledBecause: null },
  }));
  const hours = many(168, (n) => ({ hour: now - (now % HOUR) - n * HOUR, delivered: 9, failed: 2, timed: 9, ms: 99 }));
  const health = { pending: 3, lastFailureAt: now, hours };
  await fill('webhook_endpoint_health', 1, size.endpoints, (n) => ({ id: endpointIdOf(n), ...health }));
  const finding = { status: 'Reported', statusCode: 'reported', actionable: true, deadOnArrival: null };
  const url = 'https://leaks.example/'.padEnd(2_000, 'y');
  const found = { creatorId, scanId: null, available: true };
  await fill('cases', 1, size.cases, (n) => {
    const id = derivedId('case', `${n}`);
    return { id, caseId: id, leakId: id, ...found, finding: { ...finding, url, createdAt: now, updatedAt: now } };
  });
  const listed = { workspaceId, creatorId, status: 'reported', isOpen: 1, site: 'leaks.example', source: 'svc' };
  await fill('cases_of_creators', 1, size.cases, (n) => {
    const order = `${String(now).padStart(15, '0')}:${n}`;
    return { id: derivedId('case', `${n}`), ...listed, order, url: `leaks.example/${n}` };
  });
  const month = new Date(now).toISOString().slice(0, 7);
  await fill('usage_intervals', 2, size.intervals, (n) => {
    const from = now - (n + 1) * 1_000;
    const interval = { workspaceId, month, isOpen: 0, from, to: from + 999 };
    return { id: `${n}`, ...interval, creatorId: derivedId('creator', `${n % 500}`) };
  });
  const key = { agencyId, epoch: 1, scopes: ['read'], expiresAt: null, revokedAt: null };
  await fill('keys', 2, size.keys, (n) => ({ id: keyIdOf(n), ...key, name: `Key ${n}`, createdAt: n }));
  const routes = many(20, (n) => ({ route: `GET /v1/route${n}`, hours: Array(24).fill(3) }));
  const today = Math.floor(now / DAY);
  await put('calls_by_day', 31 * (size.keysInUse + 1), (n) => {
    const keyId = n < 31 ? null : keyIdOf(Math.floor(n / 31) - 1);
    return { id: `${keyId} ${n % 31}`, agencyId, keyId, calls: 1_440, day: today - (n % 31), routes };
  });
  const records = many(50, (n) => ({ id: `${n}`, reason: 'x'.repeat(100), since: now }));
  const leftOut = { agencyId, kind: 'leak', walkedAt: now, count: records.length, records };
  await put('left_out_records', 1_000, (n) => {
    return { id: `leak ${n}`, creatorId: derivedId('creator', `${n}`), ...leftOut };
  });
  const problems = many(5, (n) => ({ field: `field ${n}`, rule: 'x'.repeat(150) }));
  const refused = { keyId: keyIdOf(0), route: 'GET /v1/creators/{id}', status: 400, code: 'invalid_request', problems };
  await put('refused_requests', BATCHES, (n) => {
    const requests = many(50, () => ({ requestId: randomUUID(), at: now - n, ...refused }));
    return { id: randomUUID(), agencyId, at: now - n, count: requests.length, requests };
  });
  return { key: keyIdOf(0), endpoint: endpointIdOf(0), event: eventIdOf(size.events - 1), delivery: deliveryId(0) };
};
