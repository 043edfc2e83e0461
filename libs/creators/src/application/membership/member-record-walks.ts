import { Injectable } from '@nestjs/common';
import { BulkPace, walkPages } from '#jobs';
import { Clock, DomainError, type Duration, type Instant, type RefusedRecord } from '#kernel';
import type { DocumentOfCreator, ListByCreator } from '#projections';
import { isErased } from '../../domain/creator.state.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { Memberships } from '../access/memberships.js';
import type { LinkedCreator } from './record-synchronization.js';

/**
 * The due kind of the walk of all records of a creator. Its job is in `cases`, which this context may not import, but a
 * request that runs out of time makes the walk due here.
 */
export const CASE_WALK = 'caseWalk';

const ROWS_PER_PAGE = 200;

/** A record that the platform has of a creator, as a read model shows it. */
interface MemberRecordDocument extends DocumentOfCreator {
  /** False while the platform does not show it. */
  readonly available: boolean;
}

interface NativePage {
  readonly refused: readonly RefusedRecord[];
  readonly nextCursor: string | null;
}

/** How the platform's records of one kind are read and recorded. */
export interface MemberRecordSource<Id extends string, Page extends NativePage> {
  /** Undefined where the platform does not show the creator. */
  read(after: string | undefined): Promise<Page | undefined>;
  /** Records what is new on the page. Resolves to the ids of all its records. */
  record(page: Page, askedAt: Instant): Promise<readonly Id[]>;
  idOf(nativeId: string): Id;
}

/** What a reading showed, refused records included; not complete where one had no usable id (D65). */
export interface SeenRecords<Id extends string> {
  readonly ids: ReadonlySet<Id>;
  readonly isComplete: boolean;
  /** How long the platform took for all pages together. */
  readonly readIn: Duration;
}

/** Walks the platform's records of a creator: its cases and impersonations are kept in step by it. */
@Injectable()
export class MemberRecordWalks {
  constructor(
    private readonly creators: CreatorRepository,
    private readonly memberships: Memberships,
    private readonly pace: BulkPace,
    private readonly clock: Clock,
  ) {}

  /** Undefined where the platform does not show the creator. An abort ends it before the next page, with the signal's reason. */
  async read<Id extends string, Page extends NativePage>(
    { agencyId, creatorId }: LinkedCreator,
    source: MemberRecordSource<Id, Page>,
    signal?: AbortSignal,
  ): Promise<SeenRecords<Id> | undefined> {
    const ids = new Set<Id>();
    let isComplete = true;
    let readIn = 0;
    let askedAt = this.clock.now();
    const isMember = await walkPages<string, Page>(
      async (after) => {
        signal?.throwIfAborted();
        askedAt = this.clock.now();
        const began = performance.now();
        const page = await source.read(after);
        readIn += performance.now() - began;
        return page;
      },
      async (page) => {
        this.memberships.confirm(creatorId, askedAt);
        for (const id of await source.record(page, askedAt)) ids.add(id);
        for (const { id } of page.refused) {
          if (id === null) isComplete = false;
          else ids.add(source.idOf(id));
        }
      },
      (task, isLong) => this.pace.withPagePermit(agencyId, task, isLong),
    );
    return isMember ? { ids, isComplete, readIn } : undefined;
  }

  /** What a walk did not show any more is gone (D50, D54), unless a record could not even be named (D65). */
  async removeUnseen<Row extends MemberRecordDocument>(
    creator: LinkedCreator,
    { ids, isComplete }: SeenRecords<Row['id']>,
    list: ListByCreator<Row>,
    remove: (id: Row['id']) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (!isComplete) return;
    for (let after: Row['id'] | undefined; ; ) {
      signal?.throwIfAborted();
      const rows = await list.ofCreator(creator.creatorId, {
        limit: ROWS_PER_PAGE,
        ...(after !== undefined && { after }),
      });
      const gone = rows.filter(({ id, available }) => available && !ids.has(id));
      await this.record(creator, gone, ({ id }) => remove(id), signal);
      after = rows.at(-1)?.id;
      if (rows.length < ROWS_PER_PAGE) return;
    }
  }

  /**
   * Records each of what a reading has shown to be new or gone, at the pace of bulk work. D72: nothing is recorded of a
   * creator that was erased, also while its records were read: then it is `not_found`.
   */
  async record<Item>(
    { agencyId, creatorId }: LinkedCreator,
    items: readonly Item[],
    record: (item: Item) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (items.length === 0) return;
    const { state } = await this.creators.load(creatorId);
    if (isErased(state)) throw new DomainError('not_found');
    await this.pace.inBatches(agencyId, items, record, signal);
  }
}
