import { type AgencyId, type CollectionDefinition, DAY, type Document, HOUR, type Instant, type KeyId } from '#kernel';

/** A key's calls on one UTC day, as one process counted them. The total is the sum over all processes. */
export interface CallsOfDay extends Document {
  readonly agencyId: AgencyId;
  /** Null for the calls of all keys of the agency, which saves adding up many keys. */
  readonly keyId: KeyId | null;
  /** Days since 1970. */
  readonly day: number;
  calls: number;
  readonly routes: RouteCalls[];
  /** By hour of the day, the calls of each minute; hours without calls are left out. Missing in earlier versions. */
  readonly minutes?: Record<number, number[]>;
}

interface RouteCalls {
  /** The method and the template of the path, such as `GET /v1/creators/{id}`. */
  readonly route: string;
  /** The calls of each hour of the day. */
  readonly hours: number[];
}

/** Not a read model: the log has no calls, and after a loss the counts start again. */
export const CALLS_BY_DAY: CollectionDefinition = {
  name: 'calls_by_day',
  indexes: [
    { name: 'calls', fields: ['agencyId', 'day', 'keyId', 'calls'] },
    { name: 'series', fields: ['keyId', 'agencyId', 'day'] },
    { name: 'day', fields: ['day'] },
  ],
};

export const DAYS_KEPT = 30;

export const dayOf = (at: Instant): number => Math.floor(at / DAY);
export const hourOfDay = (at: Instant): number => Math.floor((at % DAY) / HOUR);
