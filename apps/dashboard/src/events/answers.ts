import type { EventType, FoundPageOf } from '../answers.js';
import type { TimelineEvent } from '../creators/answers.js';
import type { BytesAnswer, ListedDeliveryAnswer } from '../deliveries/answers.js';

export interface ListedEventAnswer {
  readonly id: string;
  readonly type: EventType;
  readonly creator_id: string;
  readonly created_at: number;
}

export type EventsAnswer = FoundPageOf<ListedEventAnswer>;

interface EventCauseAnswer extends Omit<TimelineEvent, 'id'> {
  readonly event_id: string;
  /** The stream that has the event. */
  readonly stream: string;
}

export interface EventAnswer extends ListedEventAnswer, BytesAnswer {
  readonly published_at: number;
  readonly cause: EventCauseAnswer | null;
  /** The first hundred. */
  readonly deliveries: readonly ListedDeliveryAnswer[];
}
