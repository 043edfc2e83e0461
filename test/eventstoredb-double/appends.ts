import shared from '@eventstore/db-client/generated/shared_pb.js';
import type status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status as codes, type ServerDuplexStream, type ServerReadableStream, type sendUnaryData } from '@grpc/grpc-js';
import type { Faults } from './faults.js';
import { failure, nameOf, notLeader, refusals, streamDeleted } from './messages.js';
import type { Expected, ProposedEvent, Records, Verdict } from './records.js';

const MAX_APPEND_SIZE = 1024 * 1024;

type Proposed = streams.BatchAppendReq.ProposedMessage | streams.AppendReq.ProposedMessage;
type Batch = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

interface Pending {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
}

export class Appends {
  constructor(
    private readonly records: Records,
    private readonly faults: Faults,
    private readonly loseConnections: () => void,
  ) {}

  /** Many appends over one call, distinguished by their correlation ids; a large one comes in parts. */
  batch(call: Batch): void {
    const pending = new Map<string, Pending>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options) pending.set(id, { ...addressed(options), events: [] });
      const append = pending.get(id);
      if (append === undefined) return;
      append.events.push(...request.getProposedMessagesList().map(proposedEvent));
      const tooLarge = sizeOf(append.events) > MAX_APPEND_SIZE;
      if (!tooLarge && !request.getIsFinal()) return;
      pending.delete(id);
      if (tooLarge) answer(call, id, refusals.tooLarge(MAX_APPEND_SIZE));
      else this.finish(call, id, append);
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  }

  /** One append with its own call. */
  single(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
    done: sendUnaryData<streams.AppendResp>,
  ): void {
    let append: Pending | undefined;
    call.on('data', (request: streams.AppendReq) => {
      const [options, message] = [request.getOptions(), request.getProposedMessage()];
      if (options)
        append = { stream: nameOf(options.getStreamIdentifier()), expected: expectedOf(options), events: [] };
      if (message) append?.events.push(proposedEvent(message));
    });
    call.on('end', () => {
      if (append === undefined) return done(failure(codes.INVALID_ARGUMENT, 'no options'));
      if (sizeOf(append.events) > MAX_APPEND_SIZE) {
        return done(
          failure(codes.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_SIZE} Exceeded.`, {
            exception: 'maximum-append-size-exceeded',
            'maximum-append-size': String(MAX_APPEND_SIZE),
          }),
        );
      }
      const verdict = this.records.append(append.stream, append.expected, append.events);
      if (verdict.kind === 'stream deleted') done(streamDeleted(append.stream));
      else done(null, appendResponse(verdict));
    });
  }

  private finish(call: Batch, id: string, { stream, expected, events }: Pending): void {
    const { faults } = this;
    const leader = faults.leaderElsewhere();
    if (leader) {
      call.emit('error', notLeader(leader.host, leader.port));
    } else if (faults.strikes('lostBefore')) {
      this.loseConnections();
    } else if (faults.strikes('busy')) {
      answer(call, id, refusals.busy());
    } else if (!faults.strikes('unheard')) {
      const verdict = this.records.append(stream, expected, events);
      if (faults.strikes('lostAfter')) this.loseConnections();
      else if (faults.strikes('timedOut')) answer(call, id, refusals.timeout());
      else if (!faults.strikes('unanswered')) answer(call, id, resultOf(verdict, stream, expected));
    }
  }
}

const resultOf = (verdict: Verdict, stream: string, expected: Expected) => {
  switch (verdict.kind) {
    case 'appended':
      return batchSuccess(verdict);
    case 'wrong expected version':
      return refusals.wrongExpectedVersion(expected, verdict.current);
    case 'stream deleted':
      return refusals.streamDeleted(stream);
  }
};

type Appended = Extract<Verdict, { kind: 'appended' }>;

const answer = (call: Batch, id: string, result: status.Status | streams.BatchAppendResp.Success): void => {
  const response = new streams.BatchAppendResp().setCorrelationId(new shared.UUID().setString(id));
  if (result instanceof streams.BatchAppendResp.Success) response.setSuccess(result);
  else response.setError(result);
  call.write(response.setStreamIdentifier(new shared.StreamIdentifier()));
};

const batchSuccess = ({ revision, position }: Appended): streams.BatchAppendResp.Success =>
  new streams.BatchAppendResp.Success()
    .setCurrentRevision(String(revision))
    .setPosition(
      new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position)),
    );

const appendResponse = (verdict: Exclude<Verdict, { kind: 'stream deleted' }>): streams.AppendResp => {
  const response = new streams.AppendResp();
  if (verdict.kind === 'appended') {
    const position = new streams.AppendResp.Position()
      .setCommitPosition(String(verdict.position))
      .setPreparePosition(String(verdict.position));
    return response.setSuccess(
      new streams.AppendResp.Success().setCurrentRevision(String(verdict.revision)).setPosition(position),
    );
  }
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (verdict.current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(verdict.current));
  return response.setWrongExpectedVersion(wrong.setExpectedAny(new shared.Empty()));
};

const addressed = (options: streams.BatchAppendReq.Options) => ({
  stream: nameOf(options.getStreamIdentifier()),
  expected: expectedOf(options),
});

const expectedOf = (options: streams.BatchAppendReq.Options | streams.AppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'none';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'exists';
  return Number(options instanceof streams.AppendReq.Options ? options.getRevision() : options.getStreamPosition());
};

const proposedEvent = (message: Proposed): ProposedEvent => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  isJson: message.getMetadataMap().get('content-type') === 'application/json',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

const sizeOf = (events: readonly ProposedEvent[]): number =>
  events.reduce((sum, { type, data, metadata }) => sum + type.length + data.length + metadata.length, 0);
