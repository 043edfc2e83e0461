import { AgencyDirectory, type AgencyEvent } from '#agencies';
import { type CaseEvent, caseIdOf } from '#cases';
import { type CreatorEvent, creatorDecider, isFound, type RosterEvent } from '#creators';
import { EVENT_FEED, publicEvent, publish } from '#event-feed';
import {
  type CaseId,
  type CreatorId,
  DAY,
  type DomainEvent,
  derivedId,
  derivedUuid,
  type EventToAppend,
  type Instant,
  newEventId,
  type PublicEventId,
  processContext,
  streamName,
  type UserId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
} from '#kernel';
import { deliveryIdOf, type WebhookDeliveryEvent } from '#webhooks';
import { issueKey, registerEndpoint } from '../../support/agency-commands.js';
import type { Services } from '../../support/open-service.js';
import { AGENCY } from './bench-agency.js';

const workspaceId = derivedId('workspace', AGENCY);
const context = () => processContext('bench', workspaceId, { id: 'bench', correlationId: 'bench' });
const AN_APPEND = 200;
const CONCURRENCY = 500;
const identity = { displayName: 'Jane Example', aliases: ['Jane E.'], profiles: [] };
const APPROVED = { approved: true, status: 'approved', expiresAt: null };
const standing = { onboardingComplete: true, authorization: APPROVED, entitlement: { active: true, source: 'agency' } };

/** Appends to a new stream. */
const record = async ({ log }: Services, category: string, id: string, facts: readonly DomainEvent[], at: Instant) => {
  const metadata = { at, correlationId: 'bench', causationId: null, actor: 'process:bench', workspaceId };
  for (let from = 0, revision = -1; from < facts.length; from += AN_APPEND) {
    const some = facts.slice(from, from + AN_APPEND);
    const events = some.map(({ type, data }): EventToAppend => ({ id: newEventId(), type, data, metadata }));
    ({ revision } = await log.append(streamName(category, id), revision < 0 ? 'none' : revision, events));
  }
};

/** Bound long ago, so that what is older than today counts. */
export const bindLongAgo = async (services: Services): Promise<void> => {
  const native = await services.app.get(AgencyDirectory, { strict: false }).getAgency(AGENCY);
  if (native === undefined) throw new Error('the platform does not know the agency');
  const data = { agencyId: AGENCY, workspaceId, epoch: 1, ownerUserId: native.ownerUserId } as const;
  const bound: AgencyEvent = { type: 'agency.bound.v1', data };
  await record(services, 'agency', AGENCY, [bound], Date.now() - 90 * DAY);
};

export const issueKeys = async (services: Services, count: number) => {
  const keys = [];
  for (let n = 0; n < count; n++) {
    const request = { preset: 'read_write', lifetime: 'none', name: `Key ${n}` } as const;
    keys.push(await issueKey(services, AGENCY, request, context()));
  }
  return keys;
};

export const registerEndpoints = async (services: Services, count: number): Promise<WebhookEndpointId[]> => {
  const ids: WebhookEndpointId[] = [];
  for (let n = 0; n < count; n++) {
    const { endpoint } = await registerEndpoint(services, AGENCY, `http://127.0.0.1:9/hooks/${n}`, context());
    ids.push(endpoint.endpointId);
  }
  return ids;
};

/** Four of five are protected, one of ten is paused, one of ten was never protected; the first ones are the platform's. */
export const enrollCreators = async (services: Services, userIds: readonly string[], count: number) => {
  const at = Date.now() - 80 * DAY;
  const creators = Array.from({ length: count }, (_, n) => ({
    creatorId: derivedId('creator', AGENCY, n),
    userId: (userIds[n] ?? derivedUuid(AGENCY, n)) as UserId,
    externalId: `external-${n}`,
  }));
  const admitted = creators.map(({ creatorId, userId, externalId }): RosterEvent => {
    const personal = {
      externalId,
      fingerprint: derivedUuid('body', creatorId),
      submitted: { identity, invitee: null },
    };
    const enrolled = { creatorId, agencyId: AGENCY, epoch: 1, userId, personal };
    return { type: 'roster.creatorAdmitted.v1', data: { ...enrolled, via: 'link' } };
  });
  await record(services, 'roster', workspaceId, admitted, at);
  for (let from = 0; from < count; from += CONCURRENCY) {
    const some = creators.slice(from, from + CONCURRENCY).map(({ creatorId, userId, externalId }, n) => {
      const enrolled = {
        creatorId,
        workspaceId,
        agencyId: AGENCY,
        epoch: 1,
        userId,
        personal: { externalId, identity },
      };
      const steps: CreatorEvent[] = [
        { type: 'creator.enrolledByLink.v1', data: enrolled },
        { type: 'creator.identityWritten.v1', data: {} },
        { type: 'creator.standingObserved.v1', data: standing },
      ];
      const activation: CreatorEvent[] = [
        { type: 'creator.activationRequested.v1', data: { activationId: creatorId } },
        { type: 'creator.protectionActivated.v1', data: { activationId: creatorId, reason: 'api_request' } },
      ];
      const pause: CreatorEvent = { type: 'creator.protectionPaused.v1', data: { reason: 'api_request' } };
      if (n % 10 !== 9) steps.push(...activation);
      if (n % 10 === 8) steps.push(pause);
      return record(services, 'creator', creatorId, steps, at);
    });
    await Promise.all(some);
  }
  return creators;
};

/** What the platform says of a creator is recorded when it is first read. */
export const observeOnce = async ({ runner, creators }: Services, creatorId: CreatorId): Promise<void> => {
  const loaded = await runner.load(creatorDecider, creatorId);
  if (isFound(loaded)) await creators.current(loaded, context());
};

export const openCases = async (services: Services, creatorId: CreatorId, count: number): Promise<CaseId[]> => {
  const at = Date.now() - 30 * DAY;
  const ids = Array.from({ length: count }, (_, n) => caseIdOf(workspaceId, creatorId, `leak-${n}`));
  const opened = ids.map((caseId, n) => {
    const personal = { url: `https://forum.example.com/threads/${n}` };
    const finding = { status: 'Detected', statusCode: 'detected', actionable: true, deadOnArrival: false };
    const about = { caseId, creatorId, workspaceId, leakId: `leak-${n}`, scanId: null };
    const data: CaseEvent['data'] = { ...about, ...finding, createdAt: at, updatedAt: at, personal };
    return record(services, 'case', caseId, [{ type: 'case.opened.v1', data }], at);
  });
  await Promise.all(opened);
  return ids;
};

/** Events whose bytes and deliveries can be opened. */
export const publishSome = async (
  services: Services,
  creatorId: CreatorId,
  endpointId: WebhookEndpointId,
  count: number,
): Promise<{ readonly eventIds: PublicEventId[]; readonly deliveryIds: WebhookDeliveryId[] }> => {
  const at = Date.now() - 70 * DAY;
  const published = Array.from({ length: count }, (_, n) => {
    const data = { status: 'active', scope: 'api_scan_schedule', reason: 'api_request' };
    const cause = { id: `published-${n}`, at: at + n, workspaceId };
    return publicEvent({ type: 'protection.activated', creatorId, data }, cause, at + n);
  });
  const stream = streamName('creator', creatorId);
  const inFeed = published.map((event, n) => publish(event, { eventId: `published-${n}`, stream, revision: 0 }));
  await record(services, EVENT_FEED, workspaceId, inFeed, at);
  const deliveries = published.map(({ id: eventId, type: eventType }, feedRevision) => {
    const deliveryId = deliveryIdOf(endpointId, eventId);
    const order = {
      deliveryId,
      endpointId,
      agencyId: AGENCY,
      creatorId,
      eventId,
      eventType,
      workspaceId,
      feedRevision,
    };
    const result = { endpointId, attempt: 1, sentAt: at, ms: 40, status: 204, error: null };
    const facts: WebhookDeliveryEvent[] = [
      { type: 'webhookDelivery.scheduled.v1', data: order },
      { type: 'webhookDelivery.delivered.v1', data: result },
    ];
    return { deliveryId, facts };
  });
  for (const { deliveryId, facts } of deliveries) await record(services, 'webhookDelivery', deliveryId, facts, at);
  return { eventIds: published.map(({ id }) => id), deliveryIds: deliveries.map(({ deliveryId }) => deliveryId) };
};
