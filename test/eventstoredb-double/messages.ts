import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status as codes, Metadata, type ServerErrorResponse } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Expected, StoredEvent } from './records.js';

const TICKS_PER_MILLISECOND = 10_000;
const LAST_NUMBER = '9223372036854775807';

export const nameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

const identifierOf = (name: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(new TextEncoder().encode(name));

export const eventMessage = (event: StoredEvent): streams.ReadResp => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(event.revision === null ? LAST_NUMBER : String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  const properties = recorded.getMetadataMap();
  properties.set('type', event.type);
  properties.set('created', String(event.created * TICKS_PER_MILLISECOND));
  properties.set('content-type', event.isJson ? 'application/json' : 'application/octet-stream');
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(read);
};

export const checkpointMessage = (position: number): streams.ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(String(position)).setPreparePosition(String(position)),
  );

export const notFoundMessage = (stream: string): streams.ReadResp =>
  new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream)),
  );

/** A failed call, as the server reports it: what is wrong is in the trailers. */
export const failure = (
  code: codes,
  details: string,
  trailers: Readonly<Record<string, string>> = {},
): Partial<ServerErrorResponse> => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, value);
  return { code, details, metadata };
};

export const streamDeleted = (stream: string) =>
  failure(codes.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const notLeader = (host: string, port: number) =>
  failure(codes.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': String(port),
  });

const refusal = (message: string, name: string, details: Uint8Array): status.Status => {
  const packed = new any.Any();
  packed.pack(details, name);
  return new status.Status().setMessage(message).setDetails(packed);
};

/** How a batch append is refused: a status with its reason packed into it. */
export const refusals = {
  wrongExpectedVersion: (expected: Expected, current: number): status.Status => {
    const reason = new shared.WrongExpectedVersion();
    if (current < 0) reason.setCurrentNoStream(new empty.Empty());
    else reason.setCurrentStreamRevision(String(current));
    if (expected === 'any') reason.setExpectedAny(new empty.Empty());
    else if (expected === 'none') reason.setExpectedNoStream(new empty.Empty());
    else if (expected === 'exists') reason.setExpectedStreamExists(new empty.Empty());
    else reason.setExpectedStreamPosition(String(expected));
    return refusal('WrongExpectedVersion', 'event_store.client.WrongExpectedVersion', reason.serializeBinary());
  },
  tooLarge: (limit: number): status.Status =>
    refusal(
      `Maximum Append Size of ${limit} Exceeded.`,
      'event_store.client.MaximumAppendSizeExceeded',
      new shared.MaximumAppendSizeExceeded().setMaxappendsize(limit).serializeBinary(),
    ),
  streamDeleted: (stream: string): status.Status =>
    refusal(
      `Stream '${stream}' is deleted.`,
      'event_store.client.StreamDeleted',
      new shared.StreamDeleted().setStreamIdentifier(identifierOf(stream)).serializeBinary(),
    ),
  timeout: (): status.Status =>
    refusal('Timeout', 'event_store.client.Timeout', new shared.Timeout().serializeBinary()),
  busy: (): status.Status => refusal('Server Is Busy', 'google.protobuf.Empty', new empty.Empty().serializeBinary()),
};
