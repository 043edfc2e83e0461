import type { Duration, Position, Revision, StreamName } from '#kernel/ports';
import type { EncodedAppend, EncodedEvent } from '../encoded-append.js';
import type { Appending } from './writer.js';

/** Flat arrays, because objects with named members take several times as long to pass to another thread. */
export type AppendMessage = readonly [stream: StreamName, expected: EncodedAppend['expected'], ...events: string[]];

export const appendMessage = ({ stream, expected, events }: Appending): AppendMessage => [
  stream,
  expected,
  ...events.flatMap(({ id, type, envelope, data, metadata }) => [id, type, envelope, data, metadata]),
];

export const appendOf = ([stream, expected, ...texts]: AppendMessage): Appending => {
  const events: EncodedEvent[] = [];
  for (let n = 0; n < texts.length; n += 5) {
    const [id = '', type = '', envelope = '', data = '', metadata = ''] = texts.slice(n, n + 5);
    events.push({ id, type, envelope, data, metadata });
  }
  return { stream, expected, events };
};

export type AppendedMessage = readonly [revision: Revision, position: Position];

export interface AppendSettings {
  readonly file: string;
  readonly busyFor: Duration;
}
