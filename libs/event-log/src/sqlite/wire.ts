import { InvalidAppend, type Position, type Revision, type StreamName, WrongExpectedRevision } from '#kernel/ports';
import type { EncodedAppend, EncodedEvent } from '../encoded-append.js';
import type { Appending, Verdict } from './writer.js';

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

export type VerdictMessage =
  | readonly [revision: Revision, position: Position]
  | { readonly actual: Revision }
  | { readonly invalid: string };

export const verdictMessage = (verdict: Verdict): VerdictMessage => {
  if (verdict instanceof WrongExpectedRevision) return { actual: verdict.actual };
  if (verdict instanceof InvalidAppend) return { invalid: verdict.message };
  return [verdict.revision, verdict.position];
};

export const verdictOf = (message: VerdictMessage, { stream, expected }: EncodedAppend): Verdict => {
  if ('actual' in message) return new WrongExpectedRevision(stream, expected, message.actual);
  if ('invalid' in message) return new InvalidAppend(message.invalid);
  const [revision, position] = message;
  return { revision, position };
};

export type GroupMessage =
  | { readonly end: Position; readonly verdicts: readonly VerdictMessage[] }
  | { readonly failure: string; readonly code: unknown };
