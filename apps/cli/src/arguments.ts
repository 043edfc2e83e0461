import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { eventIdIn, type Moment } from '#audit';
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

/** Reads an argument that is an id. Another kind's id, or no id, is not found. */
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

export const asInstant = (text: string): Instant => {
  const at = /^\d{13}$/.test(text) ? Number(text) : parseTime(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError(
    meantBy(text) ?? 'It must be a date (its start in UTC), an ISO 8601 time with an offset, or epoch milliseconds.',
  );
};

export const asMoment = (text: string): Moment => {
  const eventId = eventIdIn(text);
  return eventId === undefined ? { kind: 'time', at: asInstant(text) } : { kind: 'event', eventId };
};

/** Timestamps of programs that use other units than milliseconds, by their number of digits (D108). */
const UNITS: Readonly<Record<number, string>> = {
  10: 'seconds',
  13: 'milliseconds with a fraction',
  16: 'microseconds',
  19: 'nanoseconds',
};

/** Another number would be a time in another century, and select nothing or everything. */
const meantBy = (text: string): string | undefined => {
  const [, whole, fraction = ''] = /^[+-]?(\d+)(?:[.,](\d*))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const date = whole.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (parseTime(date) !== undefined) return `${text} looks like a date: write ${date}.`;
  const unit = UNITS[whole.length];
  if (unit === undefined) return `${text} is not a time: epoch milliseconds have thirteen digits.`;
  return `${text} looks like ${unit}: write ${(whole + fraction).padEnd(13, '0').slice(0, 13)}, or an ISO 8601 time.`;
};

/** Reads a path. npm runs the tool in the project's folder, and passes on the folder where the person is (D113). */
export const asPath = (path: string): string => resolve(process.env.INIT_CWD ?? '', path);

const STREAM = /^[^-]+-.+$/;

/** Reads the name of a stream, `<category>-<id>`. */
export const asStream = (text: string): StreamName => {
  if (!STREAM.test(text)) throw invalidRequest({ field: 'stream', message: 'must be a category, a hyphen and an id' });
  const id = streamId(text);
  return streamName(text.slice(0, -id.length - 1), id);
};
