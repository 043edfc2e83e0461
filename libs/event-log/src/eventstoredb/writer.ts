import { WrongExpectedVersionError } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import {
  type Appended,
  assertLeading,
  type Duration,
  type ExpectedRevision,
  NO_EVENTS,
  type Revision,
  WrongExpectedRevision,
} from '#kernel';
import { type EncodedAppend, type EncodedEvent, repeatedAppend } from '../encoded-append.js';
import type { BatchAppendCall, Connection } from './connection.js';
import { NoAnswer, withRetries } from './failures.js';
import type { Reader } from './reader.js';
import { positionOf } from './recorded.js';
import { streamIdentifier } from './requests.js';

type Answer = streams.BatchAppendResp;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export class AppendCalls {
  #call: Promise<AppendCall> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly attempt: Duration,
  ) {}

  async send(append: EncodedAppend): Promise<Answer> {
    this.#call ??= this.#open();
    const call = await this.#call;
    assertLeading();
    return call.send(append);
  }

  async close(): Promise<void> {
    (await this.#call?.catch(() => undefined))?.end();
  }

  #open(): Promise<AppendCall> {
    const over = () => {
      if (this.#call === opening) this.#call = undefined;
    };
    const opening = this.connection.batchAppend().then((call) => new AppendCall(call, this.attempt, over));
    opening.catch(over);
    return opening;
  }
}

class AppendCall {
  readonly #waiting = new Map<string, Waiting>();
  #over: Error | undefined;

  constructor(
    private readonly call: BatchAppendCall,
    private readonly attempt: Duration,
    private readonly onOver: () => void,
  ) {
    call.on('data', (answer: Answer) => this.#settle(answer.getCorrelationId()?.getString() ?? '')?.resolve(answer));
    call.on('error', (error) => this.#end(error));
    call.on('end', () => this.#end(new NoAnswer('the server has ended the call')));
    call.on('close', () => this.#end(new NoAnswer('the call is closed')));
  }

  send(append: EncodedAppend): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      const id = crypto.randomUUID();
      const timer = setTimeout(() => this.#settle(id)?.reject(new NoAnswer('no answer to an append')), this.attempt);
      this.#waiting.set(id, { resolve, reject, timer });
      this.call.write(batchAppendRequest(id, append));
    });
  }

  end(): void {
    this.call.end();
  }

  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    return waiting;
  }

  #end(error: Error): void {
    this.#over ??= error;
    this.onOver();
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(this.#over);
  }
}

function batchAppendRequest(correlationId: string, { stream, expected, events }: EncodedAppend) {
  return new streams.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(correlationId))
    .setOptions(optionsOf(stream, expected))
    .setProposedMessagesList(events.map(proposed))
    .setIsFinal(true);
}

/** No deadline is sent, because it would be a time of this machine's clock. The server has its own. */
function optionsOf(stream: EncodedAppend['stream'], expected: ExpectedRevision): streams.BatchAppendReq.Options {
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(streamIdentifier(stream));
  switch (expected) {
    case 'none':
      return options.setNoStream(new empty.Empty());
    case 'any':
      return options.setAny(new empty.Empty());
    default:
      return options.setStreamPosition(String(expected));
  }
}

const encoder = new TextEncoder();

function proposed({ id, type, data, metadata }: EncodedEvent): streams.BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(encoder.encode(data))
    .setCustomMetadata(encoder.encode(metadata));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
}

export class Writer {
  constructor(
    private readonly calls: AppendCalls,
    private readonly reader: Reader,
    private readonly retryFor: Duration,
  ) {}

  /** Under `any` revision it is sent once, because the server may not recognize a repeat. */
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
