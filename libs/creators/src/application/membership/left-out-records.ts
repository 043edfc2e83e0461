import { Injectable } from '@nestjs/common';
import {
  type AgencyId,
  ageOf,
  type CollectionDefinition,
  type CreatorId,
  DAY,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
  MAX_CLOCK_SKEW,
  MINUTE,
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
  /** The first of the walks since which it was left out for this reason. */
  readonly since: Instant;
}

/** What the latest complete walk of a list left out (D65). A list without such records has no document. */
export interface LeftOutDocument extends Document, WalkedList {
  readonly walkedAt: Instant;
  /** How many there were; the first of them are kept. */
  readonly count: number;
  readonly records: readonly LeftOutRecord[];
}

/** No read model: the next walk finds again what is lost, but not since when. */
export const LEFT_OUT_RECORDS: CollectionDefinition = {
  name: 'left_out_records',
  indexes: [{ name: 'agency', fields: ['agencyId', 'creatorId'] }],
};

/** Of one list, some 10 KB. */
const MAX_KEPT = 50;
/** Of an agency, the lists that are shown. */
const MAX_LISTS = 1_000;
const LISTS_PER_PART = 50;
/** A creator that has left is walked no more. */
const SHOWN_FOR: Duration = DAY;

/** Another process may have written since; a list that it found in order again is shown so much longer. */
const KNOWN_FOR: Duration = 10 * MINUTE;
const MAX_KNOWN = 100_000;

/** Records of the platform that were left out, for the people who can have them mended. */
@Injectable()
export class LeftOutRecords {
  /** The lists that have a document, so that a walk that left out nothing costs no call of the store. */
  private known: { readonly lists: Set<string>; readonly readAt: Instant } | undefined;

  constructor(private readonly documents: DocumentStore) {}

  /** A walk that began then has reached the end of the list. */
  async walked(list: WalkedList, refused: readonly RefusedRecord[], began: Instant): Promise<void> {
    const id = idOf(list);
    const known = await this.knownAt(began);
    if (refused.length === 0) {
      if (!known.delete(id)) return;
      await this.documents.write([{ collection: LEFT_OUT_RECORDS.name, remove: [id] }]);
      return;
    }
    const earlier = await this.documents.get<LeftOutDocument>(LEFT_OUT_RECORDS.name, id);
    const document = leftOut(list, refused, began, earlier, id);
    await this.documents.write([{ collection: LEFT_OUT_RECORDS.name, put: [document] }]);
    known.add(id);
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

  /** Nothing of an erased creator is kept, nor that its user's record on the roster was left out. */
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

  private async knownAt(now: Instant): Promise<Set<string>> {
    const { known } = this;
    if (known !== undefined && ageOf(known.readAt, now) < KNOWN_FOR) return known.lists;
    const query = { index: 'agency', limit: MAX_KNOWN };
    const entries = await this.documents.findEntries(LEFT_OUT_RECORDS.name, query);
    const lists = new Set(entries.map(({ id }) => id));
    this.known = { lists, readAt: now };
    return lists;
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
