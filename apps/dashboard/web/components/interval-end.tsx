import { Text } from '@mantine/core';
import type { ProtectionSwitch } from '../../src/creators/answers.js';
import { DateTime } from './date-time.js';
import { Actor, Id, isOfKey } from './id.js';
import { LinkTo } from './link-to.js';

export interface IntervalEndProps {
  readonly creator: string;
  /** The event that has begun or ended the interval; null while it lasts. */
  readonly event: ProtectionSwitch | null;
  /** What counts in a month, where the event is outside of it. */
  readonly counted?: { readonly word: 'from' | 'until'; readonly at: number };
}

/** When an interval of active protection has begun or ended: by whom, in which request and with which event. */
export function IntervalEnd({ creator, event, counted }: IntervalEndProps) {
  if (event === null) return 'Still active';
  return (
    <>
      <DateTime at={event.at} />
      {counted !== undefined && counted.at !== event.at && (
        <Text size="xs" component="div" fw={600}>
          Counts in this month {counted.word} <DateTime at={counted.at} />
        </Text>
      )}
      <Text size="xs" component="div">
        {event.reason.replaceAll('_', ' ')} by <Actor value={event.actor} />
      </Text>
      <Text size="xs" component="div">
        Request <Id value={event.request_id} isRequest={isOfKey(event.actor)} />
      </Text>
      <Text size="xs" component="div">
        Event{' '}
        <Id value={event.event_id}>
          <LinkTo
            to="/creators/$id"
            params={{ id: creator }}
            search={{ part: 'timeline', after: event.timeline_cursor }}
            size="xs"
          >
            {event.event_id}
          </LinkTo>
        </Id>
      </Text>
    </>
  );
}
