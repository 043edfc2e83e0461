import { WrongExpectedVersionError } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { type Appended, type Duration, NO_EVENTS, type Revision, WrongExpectedRevision } from '#kernel';
import type { EncodedAppend } from '../encoded-append.js';
import { repeatedAppend } from '../repeated-append.js';
import type { AppendCalls } from './append-calls.js';
import { NoAnswer, withRetries } from './failures.js';
import type { Reader } from './reader.js';
import { positionOf } from './recorded.js';

export class Writer {
  constructor(
    private readonly calls: AppendCalls,
    private readonly reader: Reader,
    private readonly retryFor: Duration,
  ) {}

  /**
   * An append that names its revision is repeated until it is answered: it happens once, or is refused. Under `any`
   * revision it is sent once, because the server may not recognize a repeat.
   */
  append(append: EncodedAppend): Promise<Appended> {
    return withRetries(() => this.#send(append), append.expected === 'any' ? 0 : this.retryFor);
  }

  async #send(append: EncodedAppend): Promise<Appended> {
    const answer = await this.calls.send(append);
    const success = answer.getSuccess();
    if (success) return this.#appended(append, success);
    const refusal = refusalOf(answer, append);
    if (!(refusal instanceof WrongExpectedVersionError)) throw refusal;
    const { actualVersion } = refusal;
    return this.#judge(append, typeof actualVersion === 'bigint' ? Number(actualVersion) : NO_EVENTS);
  }

  async #appended({ stream }: EncodedAppend, success: streams.BatchAppendResp.Success): Promise<Appended> {
    const revision = Number(success.getCurrentRevision());
    const position = success.getPosition();
    if (position) return { revision, position: positionOf(position.getCommitPosition()) };
    const [last] = await this.reader.stream(stream, { from: revision, limit: 1 });
    if (last === undefined) throw new NoAnswer(`what was appended to ${stream} is not there`);
    return { revision, position: last.position };
  }

  /** The stream has another revision, perhaps because this same append, sent before, has succeeded. */
  async #judge(append: EncodedAppend, actual: Revision): Promise<Appended> {
    const { stream, expected, events } = append;
    if (expected !== 'any') {
      const from = (expected === 'none' ? NO_EVENTS : expected) + 1;
      const there = actual < from ? [] : await this.reader.stream(stream, { from, limit: events.length });
      const locations = new Map(there.map((event) => [event.id, event]));
      const before = repeatedAppend(append, (id) => locations.get(id));
      if (before instanceof Error) throw before;
      if (before) return before;
    }
    throw new WrongExpectedRevision(stream, expected, actual);
  }
}

function refusalOf(answer: streams.BatchAppendResp, { stream }: EncodedAppend): Error {
  const status = answer.getError();
  return status?.hasDetails()
    ? unpackToCommandError(status, stream)
    : new NoAnswer('an append was answered with nothing');
}
