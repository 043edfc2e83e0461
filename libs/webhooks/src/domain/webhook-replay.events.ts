import type { AgencyId, Instant, WorkspaceId } from '#kernel';
import type { DeliveryFilter } from './webhook-delivery.events.js';
import type { OfEndpoint } from './webhook-endpoint.events.js';

/** Those of one endpoint, up to a time no later than the request, so that a replay has an end. */
export interface ReplayFilter extends DeliveryFilter {
  readonly to: Instant;
}

export interface MatchCount {
  readonly count: number;
  readonly isMore: boolean;
}

export type ReplayEnd = 'completed' | 'ended_by_person' | 'endpoint_disabled' | 'access_revoked';

/** An endpoint's replays of all that matches, one after the other. */
export type WebhookReplayEvent =
  | {
      readonly type: 'webhookReplay.requested.v1';
      readonly data: OfEndpoint & {
        readonly agencyId: AgencyId;
        readonly workspaceId: WorkspaceId;
        readonly filter: ReplayFilter;
        readonly total: MatchCount;
      };
    }
  /** So many more were replayed; the next ones come after this delivery or event, and null says that none do. */
  | {
      readonly type: 'webhookReplay.advanced.v1';
      readonly data: OfEndpoint & { readonly replayed: number; readonly after: string | null };
    }
  | { readonly type: 'webhookReplay.ended.v1'; readonly data: OfEndpoint & { readonly reason: ReplayEnd } };
