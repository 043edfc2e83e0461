import { Box } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ProtectionSwitch } from '../../answers/creators.js';
import { utcTime, words } from './formats.js';
import { Actor, Cut, Id, isOfKey, isOfProcess, LinkTo } from './id.js';

export interface IntervalEndProps {
  /** The event that has begun or ended the interval; null while it lasts. */
  readonly event: ProtectionSwitch | null;
  /** The time that counts for a month, if the event is outside it. */
  readonly counted?: { readonly word: 'from' | 'until'; readonly at: number };
}

/** When an interval of the page's creator has begun or ended: by whom, in which request and with which event. */
export function IntervalEnd({ event, counted }: IntervalEndProps) {
  const { id = '' } = useParams({ strict: false });
  if (event === null) return 'Still active';
  return (
    <>
      {utcTime(event.at)}
      <Box fz="xs">
        {counted !== undefined && counted.at !== event.at && (
          <b>
            Counts in this month {counted.word} {utcTime(counted.at)}
          </b>
        )}
        <div>
          {words(event.reason)} by <Actor value={event.actor} name={event.actor_name} />
        </div>
        <div>
          {isOfProcess(event.actor) ? 'Run' : 'Request'}{' '}
          <Id value={event.request_id} isRequest={isOfKey(event.actor)} />
        </div>
        Event{' '}
        <LinkTo to="/creators/$id" params={{ id }} search={{ part: 'timeline', after: event.timeline_cursor }}>
          <Cut isId>{event.event_id}</Cut>
        </LinkTo>
      </Box>
    </>
  );
}
