import type { PublicEventType } from '#event-feed';
import type { AgencyId, CreatorId, Instant, PublicEventId, Revision, WebhookDeliveryId, WorkspaceId } from '#kernel';
import type { SendResult } from './send-result.js';
import type { OfEndpoint } from './webhook-endpoint.events.js';

export const DELIVERY_STATUSES = ['pending', 'failed', 'delivered'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Which deliveries are meant. The times are those of their events, both included. */
export interface DeliveryFilter {
  readonly eventType?: PublicEventType | undefined;
  readonly status?: DeliveryStatus | undefined;
  /** The status of the last answer, such as `503`, or the class of the error, such as `timeout`. */
  readonly answer?: string | undefined;
  readonly creatorId?: CreatorId | undefined;
  readonly eventId?: PublicEventId | undefined;
  readonly from?: Instant | undefined;
  readonly to?: Instant | undefined;
  /** Only those that have failed for good, at that time or later. */
  readonly failedSince?: Instant | undefined;
  /** Only pending and failed ones of active endpoints. */
  readonly undelivered?: boolean | undefined;
}

/** Why a delivery failed permanently before its attempts were used up. */
export type RevocationReason = 'access_revoked' | 'agency_denied' | 'erased' | 'endpoint_disabled';

/** One attempt: its number, counted over all replays, and its result. */
export interface AttemptResult extends OfEndpoint, SendResult {
  readonly attempt: number;
}

export type WebhookDeliveryEvent =
  | {
      readonly type: 'webhookDelivery.scheduled.v1';
      readonly data: OfEndpoint & {
        readonly deliveryId: WebhookDeliveryId;
        readonly agencyId: AgencyId;
        readonly creatorId: CreatorId;
        readonly eventId: PublicEventId;
        readonly eventType: PublicEventType;
        /** Where the event's bytes are. Only the feed stores them, so that they can be erased (D58). */
        readonly workspaceId: WorkspaceId;
        readonly feedRevision: Revision;
      };
    }
  | {
      readonly type: 'webhookDelivery.attemptFailed.v1';
      readonly data: AttemptResult & { readonly nextAttemptAt: Instant };
    }
  | { readonly type: 'webhookDelivery.delivered.v1'; readonly data: AttemptResult }
  /** The last attempt failed too. */
  | { readonly type: 'webhookDelivery.exhausted.v1'; readonly data: AttemptResult }
  /** Its creator is missing: no attempt was made, and the next one is due at that time (D77). */
  | {
      readonly type: 'webhookDelivery.postponed.v1';
      readonly data: OfEndpoint & { readonly reason: 'creator_missing'; readonly until: Instant };
    }
  | { readonly type: 'webhookDelivery.revoked.v1'; readonly data: OfEndpoint & { readonly reason: RevocationReason } }
  | {
      readonly type: 'webhookDelivery.replayRequested.v1';
      readonly data: OfEndpoint & {
        /** The number of the endpoint's replay of all that matches; absent for a delivery that was chosen alone. */
        readonly replay?: number;
      };
    };
