import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LogFilter, Position, ReadStream, RecordedEvent, StreamName } from '#kernel';
import type { Seen } from './recorded.js';

const { Options } = streams.ReadReq;
const FORWARDS = 0;
const BACKWARDS = 1;

/** How far the server searches before it serves other requests. */
const SEARCH_WINDOW = 2_000;
const NOT_OF_THE_SYSTEM = '^[^$]';
const NOTHING = '(?!)';

export const streamIdentifier = (stream: StreamName): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(new TextEncoder().encode(stream));

export function streamRequest(stream: StreamName, { from, direction, limit = Infinity }: ReadStream): streams.ReadReq {
  const asked = new Options.StreamOptions().setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) asked.setRevision(String(from));
  else if (direction === 'backwards') asked.setEnd(new shared.Empty());
  else asked.setStart(new shared.Empty());
  return request(
    new Options()
      .setStream(asked)
      .setReadDirection(direction === 'backwards' ? BACKWARDS : FORWARDS)
      .setCount(String(Math.min(limit, Number.MAX_SAFE_INTEGER)))
      .setNoFilter(new shared.Empty()),
  );
}

export function pageRequest(from: Position, count: number, filter: LogFilter): streams.ReadReq {
  const position = new Options.Position().setCommitPosition(String(from)).setPreparePosition(String(from));
  return request(
    new Options()
      .setAll(new Options.AllOptions().setPosition(position))
      .setReadDirection(FORWARDS)
      .setCount(String(count))
      .setFilter(filterOptions(filter).setMax(SEARCH_WINDOW)),
  );
}

export const headRequest = (): streams.ReadReq =>
  request(
    new Options()
      .setAll(new Options.AllOptions().setEnd(new shared.Empty()))
      .setReadDirection(BACKWARDS)
      .setCount('1')
      .setFilter(filterOptions({}).setMax(SEARCH_WINDOW)),
  );

export const subscriptionRequest = (): streams.ReadReq =>
  request(
    new Options()
      .setAll(new Options.AllOptions().setEnd(new shared.Empty()))
      .setReadDirection(FORWARDS)
      .setSubscription(new Options.SubscriptionOptions())
      .setFilter(filterOptions({}).setMax(SEARCH_WINDOW)),
  );

const request = (options: streams.ReadReq.Options): streams.ReadReq =>
  new streams.ReadReq().setOptions(
    options.setResolveLinks(false).setUuidOption(new Options.UUIDOption().setString(new shared.Empty())),
  );

/** The server filters by either type or stream, and by prefixes, so it may return a little more than was requested. */
function filterOptions({ types, categories }: LogFilter): streams.ReadReq.Options.FilterOptions {
  const options = new Options.FilterOptions().setCheckpointintervalmultiplier(1);
  const expression = new Options.FilterOptions.Expression();
  if (types?.size === 0 || categories?.size === 0) return options.setEventType(expression.setRegex(NOTHING));
  if (types) return options.setEventType(expression.setPrefixList([...types]));
  if (categories) {
    return options.setStreamIdentifier(expression.setPrefixList([...categories].map((category) => `${category}-`)));
  }
  return options.setEventType(expression.setRegex(NOT_OF_THE_SYSTEM));
}

const matches = ({ types, categories }: LogFilter, { type, stream }: Seen): boolean =>
  (types === undefined || types.has(type)) &&
  (categories === undefined || categories.has(stream.slice(0, stream.indexOf('-'))));

export const eventsOf = (seen: readonly Seen[], filter: LogFilter): RecordedEvent[] =>
  seen.flatMap((one) => (matches(filter, one) && one.event ? [one.event] : []));
