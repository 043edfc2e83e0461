import type { PublicEventType } from '#event-feed';
import type { AgencyId, CreatorId, Instant, PublicEventId, WebhookEndpointId, WorkspaceId } from '#kernel';
import type { DeliveryStatus } from './delivery-status.js';

/** Which deliveries of the endpoint are replayed; the times are those of their events, both included. */
export interface ReplayFilter {
  readonly eventType?: PublicEventType | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly answer?: string | undefined;
  readonly creatorId?: CreatorId | undefined;
  readonly eventId?: PublicEventId | undefined;
  readonly from?: Instant | undefined;
  /** Of those that are pending or have failed; the failed ones are replayed. */
  readonly undelivered?: boolean | undefined;
  /** No later than the request, so that a replay has an end. */
  readonly to: Instant;
}

/** How many match, as far as they were counted. */
export interface MatchCount {
  readonly count: number;
  readonly isMore: boolean;
}

export type ReplayEnd = 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked';

/** An endpoint's replays of all that matches, one after the other. */
export type WebhookReplayEvent =
  | {
      readonly type: 'webhookReplay.requested.v1';
      readonly data: {
        readonly endpointId: WebhookEndpointId;
        readonly agencyId: AgencyId;
        readonly workspaceId: WorkspaceId;
        readonly filter: ReplayFilter;
        readonly total: MatchCount;
      };
    }
  /** So many more were replayed; the next ones come after this delivery or event, and null says that none do. */
  | {
      readonly type: 'webhookReplay.advanced.v1';
      readonly data: {
        readonly endpointId: WebhookEndpointId;
        readonly replayed: number;
        readonly after: string | null;
      };
    }
  | {
      readonly type: 'webhookReplay.ended.v1';
      readonly data: { readonly endpointId: WebhookEndpointId; readonly reason: ReplayEnd };
    };
