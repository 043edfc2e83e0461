import { Injectable } from '@nestjs/common';
import { Backpressure, CommandTasks, type RecordSource, type SeenRecords, SingleFlight, walkRecords } from '#jobs';
import {
  Clock,
  type CommandContext,
  type CreatorId,
  DomainError,
  type Instant,
  LanePositions,
  type Position,
  type RecordPage,
  taskId,
} from '#kernel';
import { type DocumentOfCreator, type ListByCreator, readModelsPassed } from '#projections';
import { CreatorsOptions } from '../../creators.options.js';
import { isErased, isWithUser, type WithUser } from '../../domain/creator.state.js';
import { type AgencyScope, CreatorAccess } from '../access/creator-access.js';
import { Memberships } from '../access/memberships.js';
import { LeftOutRecords, type WalkedList } from './left-out-records.js';

/** The due kind of the walk of all records. Its job is in `cases`; a request that runs out of time makes it due here. */
export const CASE_WALK = 'caseWalk';

export type LinkedCreator = Pick<WithUser, 'creatorId' | 'agencyId' | 'workspaceId' | 'userId'>;

/** Where the platform does not show the creator, nothing is read, and nothing is concluded about its records. */
export type Synchronized = 'synchronized' | 'not_a_member';

interface Outcome {
  readonly synchronized: Synchronized;
  /** How far in the log all that was found has been recorded. */
  readonly position: Position;
}

interface MemberRecordDocument extends DocumentOfCreator {
  /** False while the platform does not show it. */
  readonly available: boolean;
}

/** Brings what the platform has recorded about a member in step: its leaks and impersonations. */
@Injectable()
export class MemberRecords {
  private readonly runs = new SingleFlight<Outcome>();

  constructor(
    private readonly creators: CreatorAccess,
    private readonly memberships: Memberships,
    private readonly pace: Backpressure,
    private readonly commandTasks: CommandTasks,
    private readonly progress: LanePositions,
    private readonly leftOut: LeftOutRecords,
    private readonly options: CreatorsOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * Comes before a list is read. Concurrent requests join one synchronization; what its budget cuts short, the worker
   * finishes (D80). Resolves when the read models have all of it; `not_found` where the platform does not show the creator.
   */
  async synchronize(
    kind: 'cases' | 'impersonations',
    creatorId: CreatorId,
    scope: AgencyScope,
    context: CommandContext,
    synchronize: (creator: LinkedCreator, signal: AbortSignal) => Promise<Synchronized>,
  ): Promise<void> {
    const creator = await this.creators.forWrite(creatorId, scope, context);
    const { state } = creator;
    if (!isWithUser(state)) return;
    const work = async (signal: AbortSignal): Promise<Outcome> => {
      signal.addEventListener('abort', () => void this.leaveToWorker(creatorId), { once: true });
      const synchronized = await synchronize(state, signal);
      return { synchronized, position: context.consistencyToken.position };
    };
    const outcome = await this.runs.run(`${kind}:${creatorId}`, this.options.providerTimeout, work);
    context.consistencyToken.advanceTo(outcome.position);
    if (outcome.synchronized === 'not_a_member') {
      await this.creators.reportMissing(creator, context);
      throw new DomainError('not_found');
    }
    await readModelsPassed(this.progress, context);
  }

  /** For a list that shows what the worker has recorded: only the membership is confirmed within the request (D78). */
  async confirm(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<void> {
    await this.creators.forRead(creatorId, scope, context);
    await readModelsPassed(this.progress, context);
  }

  /** Undefined where the platform does not show the creator. */
  walk<Id extends string, Page extends RecordPage>(
    { agencyId, creatorId }: LinkedCreator,
    source: RecordSource<Id, Page>,
    signal?: AbortSignal,
  ): Promise<SeenRecords<Id> | undefined> {
    const record = (page: Page, askedAt: Instant) => {
      this.memberships.confirm(creatorId, askedAt);
      return source.record(page, askedAt);
    };
    return walkRecords(agencyId, { ...source, record }, this.pace, this.clock, signal);
  }

  /** The walk that began then has shown all records of the kind; people are shown what was left out of them. */
  noteLeftOut(
    { agencyId, creatorId }: LinkedCreator,
    kind: WalkedList['kind'],
    { refused }: SeenRecords<string>,
    began: Instant,
  ): Promise<void> {
    return this.leftOut.walked({ agencyId, creatorId, kind }, refused, began);
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
    for await (const rows of list.pages(creator.creatorId)) {
      signal?.throwIfAborted();
      const gone = rows.filter(({ id, available }) => available && !ids.has(id));
      await this.record(creator, gone, ({ id }) => remove(id), signal);
    }
  }

  /** At the pace of bulk work. D72: of a creator that was erased, also while its records were read, it is `not_found`. */
  async record<Item>(
    { agencyId, creatorId }: LinkedCreator,
    items: readonly Item[],
    record: (item: Item) => Promise<unknown>,
    signal?: AbortSignal,
  ): Promise<void> {
    if (items.length === 0) return;
    const { state } = await this.creators.recorded(creatorId);
    if (isErased(state)) throw new DomainError('not_found');
    await this.pace.inBatches(agencyId, items, record, signal);
  }

  /** A worker that is not asked walks the creator at its next time. */
  private async leaveToWorker(creatorId: CreatorId): Promise<void> {
    await this.commandTasks.runNow(taskId(CASE_WALK, creatorId), this.clock.now()).catch(() => undefined);
  }
}
