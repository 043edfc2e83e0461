import { type Appended, InvalidAppend, NO_EVENTS, type Position, type Revision } from '#kernel/ports';
import type { EncodedAppend } from './encoded-append.js';

export interface EventLocation {
  readonly stream: string;
  readonly revision: Revision;
  readonly position: Position;
}

/**
 * The first result, if exactly these events are where this append would have put them; undefined if the log knows
 * none of their ids; otherwise the append reuses ids for other events.
 */
export function repeatedAppend(
  { stream, expected, events }: Pick<EncodedAppend, 'stream' | 'expected' | 'events'>,
  locationOf: (id: string) => EventLocation | undefined,
): Appended | InvalidAppend | undefined {
  const locations = events.map((event) => locationOf(event.id));
  if (locations.every((location) => location === undefined)) return undefined;

  const first = expected === 'any' ? locations[0]?.revision : (expected === 'none' ? NO_EVENTS : expected) + 1;
  const areInOrder = locations.every(
    (location, index) => first !== undefined && location?.stream === stream && location.revision === first + index,
  );
  const last = locations.at(-1);
  return areInOrder && last
    ? { revision: last.revision, position: last.position }
    : new InvalidAppend(`event ids of an append to ${stream} belong to other events`);
}
