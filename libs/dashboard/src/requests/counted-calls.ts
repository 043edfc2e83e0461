import {
  type AgencyId,
  type CollectionDefinition,
  DAY,
  type Document,
  HOUR,
  type Instant,
  type KeyId,
  MINUTE,
} from '#kernel';

interface Counted extends Document {
  readonly agencyId: AgencyId;
  /** Null: the calls of all keys of the agency together, so that nobody adds up many keys. */
  readonly keyId: KeyId | null;
  /** All that the document counts. */
  calls: number;
}

/** What one process has counted of a key's calls on one UTC day; a sum over processes is what happened. */
export interface CallsOfDay extends Counted {
  /** Days since 1970. */
  readonly day: number;
  readonly routes: RouteCalls[];
}

interface RouteCalls {
  /** The method and the template of the path, such as `GET /v1/creators/{id}`. */
  readonly route: string;
  /** The calls of each hour of the day. */
  readonly hours: number[];
}

/** The same for one hour, by minute. */
export interface CallsOfHour extends Counted {
  /** Hours since 1970. */
  readonly hour: number;
  /** The calls of each minute of the hour. */
  readonly minutes: number[];
}

/** No read models: the log does not know of calls, and a lost document store begins again. */
export const CALLS_BY_DAY: CollectionDefinition = {
  name: 'calls_by_day',
  indexes: [
    { name: 'calls', fields: ['agencyId', 'day', 'keyId', 'calls'] },
    { name: 'series', fields: ['keyId', 'agencyId', 'day'] },
    { name: 'day', fields: ['day'] },
  ],
};

export const CALLS_BY_HOUR: CollectionDefinition = {
  name: 'calls_by_hour',
  indexes: [
    { name: 'calls', fields: ['agencyId', 'hour', 'keyId', 'calls'] },
    { name: 'series', fields: ['keyId', 'agencyId', 'hour'] },
    { name: 'hour', fields: ['hour'] },
  ],
};

/** How long counts are kept: those by hour for 30 days, those by minute for 24 hours. */
export const DAYS_KEPT = 30;
export const HOURS_KEPT = 24;

export const dayOf = (at: Instant): number => Math.floor(at / DAY);
export const hourOf = (at: Instant): number => Math.floor(at / HOUR);
export const hourOfDay = (at: Instant): number => hourOf(at) % 24;
export const minuteOfHour = (at: Instant): number => Math.floor(at / MINUTE) % 60;
