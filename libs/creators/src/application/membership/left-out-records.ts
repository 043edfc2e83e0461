import { Injectable } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import {
  type AgencyId,
  ageOf,
  Clock,
  type CollectionDefinition,
  type CreatorId,
  DAY,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
  MAX_CLOCK_SKEW,
  nextPart,
  type RefusedRecord,
} from '#kernel';
import type { EnrolledCreator } from '../../domain/creator.state.js';

const LEFT_OUT_KINDS = ['creator', 'leak', 'impersonation'] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** Which list of the platform: an agency's roster, or the records of one creator. */
export interface WalkedList {
  readonly agencyId: AgencyId;
  /** Null for the roster. */
  readonly creatorId: CreatorId | null;
  readonly kind: LeftOutKind;
}

const idOf = ({ kind, creatorId, agencyId }: WalkedList): string => `${kind} ${creatorId ?? agencyId}`;

export const rosterOf = (agencyId: AgencyId): WalkedList => ({ agencyId, creatorId: null, kind: 'creator' });

export interface LeftOutRecord {
  /** The platform's id; null for a record without a usable one. */
  readonly id: string | null;
  /** Names a field, never a value. */
  readonly reason: string;
  /** The first of the consecutive walks that left it out for this reason. */
  readonly since: Instant;
}

/** The records that the latest complete walk of a list left out (D65). A list without such records has no document. */
export interface LeftOutDocument extends Document, WalkedList {
  readonly walkedAt: Instant;
  /** How many there were; only the first ones are kept. */
  readonly count: number;
  readonly records: readonly LeftOutRecord[];
}

/** Not a read model: the next walk finds lost records again, but not their `since`. */
export const LEFT_OUT_RECORDS: CollectionDefinition = {
  name: 'left_out_records',
  indexes: [{ name: 'agency', fields: ['agencyId', 'creatorId'] }],
};

/** Records kept per list, some 10 KB. */
const MAX_KEPT = 50;
/** Lists shown per agency. */
const MAX_LISTS = 1_000;
const LISTS_PER_PART = 50;
/** A creator that has left is no longer walked. */
const SHOWN_FOR: Duration = DAY;

/** Platform records that were left out, for people who can have them corrected. */
@Injectable()
export class LeftOutRecords {
  constructor(private readonly documents: DocumentStore) {}

  /** A walk that began at that time has reached the end of the list. */
  async walked(list: WalkedList, refused: readonly RefusedRecord[], began: Instant): Promise<void> {
    const id = idOf(list);
    const { name: collection } = LEFT_OUT_RECORDS;
    const earlier = await this.documents.get<LeftOutDocument>(collection, id);
    if (refused.length > 0) {
      await this.documents.write([{ collection, put: [leftOut(list, refused, began, earlier, id)] }]);
    } else if (earlier !== undefined) {
      await this.documents.write([{ collection, remove: [id] }]);
    }
  }

  /** Lists of one creator, or of the roster and all creators, in parts (D109); omits lists that no walk confirmed for a day. */
  async *find(agencyId: AgencyId, creatorId: CreatorId | undefined, now: Instant): AsyncGenerator<LeftOutDocument> {
    const equals = creatorId === undefined ? [agencyId] : [agencyId, creatorId];
    const query = { index: 'agency', equals, limit: MAX_LISTS };
    const ids = (await this.documents.findEntries(LEFT_OUT_RECORDS.name, query)).map(({ id }) => id);
    for (let n = 0; n < ids.length; n += LISTS_PER_PART) {
      await nextPart();
      const part = ids.slice(n, n + LISTS_PER_PART);
      const found = await this.documents.getMany<LeftOutDocument>(LEFT_OUT_RECORDS.name, part);
      yield* found.filter(({ walkedAt }) => ageOf(walkedAt, now, MAX_CLOCK_SKEW) < SHOWN_FOR);
    }
  }

  /** Nothing of an erased creator is kept, not even that its user's record on the roster was left out. */
  async forgetCreator(erased: Pick<EnrolledCreator, 'creatorId' | 'agencyId' | 'userId'>): Promise<void> {
    const { creatorId, agencyId, userId } = erased;
    const remove = LEFT_OUT_KINDS.map((kind) => `${kind} ${creatorId}`);
    const roster = await this.documents.get<LeftOutDocument>(LEFT_OUT_RECORDS.name, idOf(rosterOf(agencyId)));
    const records = roster?.records.filter(({ id }) => id === null || id !== userId) ?? [];
    const put =
      roster === undefined || records.length === roster.records.length
        ? []
        : [{ ...roster, records, count: roster.count - 1 }];
    await this.documents.write([{ collection: LEFT_OUT_RECORDS.name, remove, put }]);
  }
}

/** A record that was left out before for the same reason keeps its time. */
const leftOut = (
  list: WalkedList,
  refused: readonly RefusedRecord[],
  walkedAt: Instant,
  earlier: LeftOutDocument | undefined,
  id: string,
): LeftOutDocument => {
  const known = new Map((earlier?.records ?? []).map((record) => [nameOf(record), record.since]));
  const records = refused
    .slice(0, MAX_KEPT)
    .map((record) => ({ ...record, since: known.get(nameOf(record)) ?? walkedAt }));
  return { id, ...list, walkedAt, count: refused.length, records };
};

const nameOf = ({ id, reason }: RefusedRecord): string => `${id ?? ''} ${reason}`;

const MAX_SHOWN = 500;

type LeftOut = LeftOutRecord & Pick<WalkedList, 'kind' | 'creatorId'>;

interface LeftOutLists {
  /** How many records there are in all. */
  readonly count: number;
  /** The first of each list, newest first, at most 500. */
  readonly records: readonly LeftOut[];
}

/** The records of the platform that the latest complete walks left out (D65), of an agency or of one creator. */
export class ListLeftOut extends Query<LeftOutLists> {
  constructor(
    readonly agencyId: AgencyId,
    readonly creatorId?: CreatorId | undefined,
  ) {
    super();
  }
}

@QueryHandler(ListLeftOut)
export class ListLeftOutHandler implements IQueryHandler<ListLeftOut> {
  constructor(
    private readonly leftOut: LeftOutRecords,
    private readonly clock: Clock,
  ) {}

  async execute({ agencyId, creatorId }: ListLeftOut): Promise<LeftOutLists> {
    let [count, records]: [number, LeftOut[]] = [0, []];
    for await (const list of this.leftOut.find(agencyId, creatorId, this.clock.now())) {
      count += list.count;
      records.push(...recordsIn(list));
      if (records.length >= 2 * MAX_SHOWN) records = newestOf(records);
    }
    return { count, records: newestOf(records) };
  }
}

const recordsIn = ({ kind, creatorId, records }: LeftOutDocument): LeftOut[] =>
  records.map((record) => ({ kind, creatorId, ...record }));

const newestOf = (records: readonly LeftOut[]): LeftOut[] =>
  records.toSorted((one, other) => other.since - one.since).slice(0, MAX_SHOWN);
