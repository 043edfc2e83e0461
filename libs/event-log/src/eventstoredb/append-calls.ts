import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { assertLeading, type Duration, type ExpectedRevision } from '#kernel';
import type { EncodedAppend, EncodedEvent } from '../encoded-append.js';
import type { BatchAppendCall, Connection } from './connection.js';
import { NoAnswer } from './failures.js';
import { streamIdentifier } from './requests.js';

type Answer = streams.BatchAppendResp;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** All appends of the process share one call, and each gets its own answer. */
export class AppendCalls {
  #call: Promise<AppendCall> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly attempt: Duration,
  ) {}

  /** Sends it once. Without an answer the append may or may not have happened. */
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
