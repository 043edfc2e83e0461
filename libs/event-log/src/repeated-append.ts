import { type Appended, InvalidAppend, NO_EVENTS, type Position, type Revision } from '#kernel/ports';
import type { EncodedAppend } from './encoded-append.js';

/** Where an event id has been used. */
export interface Place {
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
  placeOf: (id: string) => Place | undefined,
): Appended | InvalidAppend | undefined {
  const places = events.map((event) => placeOf(event.id));
  if (places.every((place) => place === undefined)) return undefined;

  const first = expected === 'any' ? places[0]?.revision : (expected === 'none' ? NO_EVENTS : expected) + 1;
  const inPlace = places.every(
    (place, index) => first !== undefined && place?.stream === stream && place.revision === first + index,
  );
  const last = places.at(-1);
  return inPlace && last
    ? { revision: last.revision, position: last.position }
    : new InvalidAppend(`event ids of an append to ${stream} have been used for something else`);
}
