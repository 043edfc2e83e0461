import { type Command, InvalidArgumentError } from 'commander';
import { type Moment, parseMoment } from '#audit';
import {
  type AgencyId,
  agencyId,
  type Branded,
  type IdKind,
  type Instant,
  idFilter,
  invalidRequest,
  notFound,
  parseId,
  parseTime,
  type StreamName,
  streamId,
  streamName,
} from '#kernel';

export interface OfAgency {
  readonly agency: AgencyId;
}

export const withAgency = (command: Command): Command =>
  command.requiredOption('--agency <id>', "the platform's agency id", agencyId);

/** What an argument names. Another kind's id, or no id, is not found. */
export const idArgument = <Kind extends IdKind>(kind: Kind, what: string, text = ''): Branded<Kind> => {
  const id = parseId(kind, text);
  if (id === undefined) throw notFound(what, `${text} does not exist`);
  return id;
};

export const creatorOf = (text: string) => idArgument('creator', 'creator', text);
export const endpointOf = (text: string | undefined) => idArgument('webhookEndpoint', 'endpoint', text);
export const deliveryOf = (text: string | undefined) => idArgument('webhookDelivery', 'delivery', text);

/** Reads an option that filters by an id. A mistyped one must not look like an empty list. */
export const idOption =
  <Kind extends IdKind>(field: string, kind: Kind) =>
  (text: string) =>
    idFilter(field, kind, text);

/** Reads an option that is a time. */
export const timeOption =
  (field: string) =>
  (text: string): Instant => {
    const instant = /^\d+$/.test(text) ? Number(text) : parseTime(text);
    if (instant !== undefined && Number.isSafeInteger(instant)) return instant;
    throw invalidRequest({ field, message: 'must be a time such as 2026-01-31T12:00:00Z' });
  };

export const asMoment = (text: string): Moment => {
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw new InvalidArgumentError(
      'It must be a date (its start in UTC), an ISO 8601 time with an offset, epoch milliseconds, or an event id.',
    );
  }
  return moment;
};

const STREAM = /^[^-]+-.+$/;

/** Reads the name of a stream, `<category>-<id>`. */
export const asStream = (text: string): StreamName => {
  if (!STREAM.test(text)) throw invalidRequest({ field: 'stream', message: 'must be a category, a hyphen and an id' });
  const id = streamId(text);
  return streamName(text.slice(0, -id.length - 1), id);
};
