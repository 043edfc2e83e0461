import type { PublicEventType } from '#event-feed';
import type { CreatorId, Instant, PublicEventId } from '#kernel';

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
