import type { TimelineEvent } from './creators.js';
import type { BytesAnswer, ListedDeliveryAnswer } from './deliveries.js';
import type { EventType } from './parts.js';

export interface ListedEventAnswer {
  readonly id: string;
  readonly type: EventType;
  readonly creator_id: string;
  readonly creator_name: string | null;
  /** Says what happened; null while that may not be shown. */
  readonly summary: string | null;
  readonly created_at: number;
}

interface EventCauseAnswer extends Omit<TimelineEvent, 'id'> {
  readonly event_id: string;
  readonly stream: string;
}

export interface EventAnswer extends ListedEventAnswer, BytesAnswer {
  readonly published_at: number;
  readonly cause: EventCauseAnswer | null;
  /** At most 100. */
  readonly deliveries: readonly ListedDeliveryAnswer[];
}
