import { Injectable } from '@nestjs/common';
import { Backpressure, CommandTasks } from '#jobs';
import {
  type CommandContext,
  type CreatorId,
  DomainError,
  type Duration,
  type Instant,
  LanePositions,
  type Position,
  type RecordPage,
  type RefusedRecord,
  taskId,
} from '#kernel';
import { readModelsPassed } from '#projections';
import { isErased, isWithUser, type WithUser } from '../../domain/creator.state.js';
import { type DocumentOfCreator, type ListByCreator } from '../../read-models/list-by-creator.js';
import { CreatorAccess } from '../access/creator-access.js';
import { type AgencyScope, CreatorPorts } from '../access/creator-ports.js';
import { walkPages } from '../access/page-walk.js';
import { LeftOutRecords, type WalkedList } from './left-out-records.js';
import { SingleFlight } from './single-flight.js';

/** The task kind of the walk of all records. Its job is in `cases`; a request that runs out of time makes it due here. */
export const CASE_WALK = 'caseWalk';

export type LinkedCreator = Pick<WithUser, 'creatorId' | 'agencyId' | 'workspaceId' | 'userId'>;

/** If the platform does not show the creator, nothing is read, and nothing is concluded about its records. */
export type Synchronized = 'synchronized' | 'not_a_member';

interface Outcome {
  readonly synchronized: Synchronized;
  /** How far in the log all that was found has been recorded. */
  readonly position: Position;
}

interface NativeRecordDocument extends DocumentOfCreator {
  /** False while the platform does not show it. */
  readonly available: boolean;
}

/** How the platform's records of one kind are read and recorded. */
interface RecordSource<Id extends string, Page extends RecordPage> {
  /** Undefined if the platform does not show the creator. */
  read(after: string | undefined): Promise<Page | undefined>;
  /** Records what is new on the page. Resolves to the ids of all its records. */
  record(page: Page, askedAt: Instant): Promise<readonly Id[]>;
  idOf(nativeId: string): Id;
}

/** The records of a walk, refused ones included; not complete if one had no usable id (D65). */
export interface SeenRecords<Id extends string> {
  readonly ids: ReadonlySet<Id>;
  readonly isComplete: boolean;
  readonly refused: readonly RefusedRecord[];
  /** How long the platform took for all pages together. */
  readonly readIn: Duration;
}

/** Synchronizes the platform's records of a member: its leaks and impersonations. */
@Injectable()
export class NativeRecordSync {
  private readonly runs = new SingleFlight<Outcome>();

  constructor(
    private readonly ports: CreatorPorts,
    private readonly creators: CreatorAccess,
    private readonly pace: Backpressure,
    private readonly commandTasks: CommandTasks,
    private readonly positions: LanePositions,
    private readonly leftOut: LeftOutRecords,
  ) {}

  /**
   * Runs before a list is read. Concurrent requests join one synchronization; the worker finishes one that exceeds its
   * budget (D80). Resolves when the read models have all of it; `not_found` if the platform does not show the creator.
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
    const outcome = await this.runs.run(`${kind}:${creatorId}`, this.ports.options.providerTimeout, work);
    context.consistencyToken.advanceTo(outcome.position);
    if (outcome.synchronized === 'not_a_member') {
      await this.creators.reportMissing(creator, context);
      throw new DomainError('not_found');
    }
    await readModelsPassed(this.positions, context);
  }

  /** For a list that shows what the worker has recorded: only the membership is confirmed within the request (D78). */
  async confirm(creatorId: CreatorId, scope: AgencyScope, context: CommandContext): Promise<void> {
    await this.creators.forRead(creatorId, scope, context);
    await readModelsPassed(this.positions, context);
  }

  /** Undefined if the platform does not show the creator. An abort ends it before the next page, with the signal's reason. */
  async walk<Id extends string, Page extends RecordPage>(
    { agencyId, creatorId }: LinkedCreator,
    source: RecordSource<Id, Page>,
    signal?: AbortSignal,
  ): Promise<SeenRecords<Id> | undefined> {
    const { memberships, clock } = this.ports;
    const ids = new Set<Id>();
    const refused: RefusedRecord[] = [];
    let isComplete = true;
    let readIn = 0;
    let askedAt = clock.now();
    const read = async (after: string | undefined) => {
      signal?.throwIfAborted();
      askedAt = clock.now();
      const began = performance.now();
      const page = await source.read(after);
      readIn += performance.now() - began;
      return page;
    };
    const record = async (page: Page) => {
      memberships.confirm(creatorId, askedAt);
      for (const id of await source.record(page, askedAt)) ids.add(id);
      refused.push(...page.refused);
      for (const { id } of page.refused) {
        if (id === null) isComplete = false;
        else ids.add(source.idOf(id));
      }
    };
    const isListed = await walkPages<string, Page>(read, record, (task, isLong) =>
      this.pace.withPagePermit(agencyId, task, isLong),
    );
    return isListed ? { ids, isComplete, refused, readIn } : undefined;
  }

  /** Records what a complete walk of that kind, which began at that time, left out. People see these records. */
  noteLeftOut(
    { agencyId, creatorId }: LinkedCreator,
    kind: WalkedList['kind'],
    { refused }: SeenRecords<string>,
    began: Instant,
  ): Promise<void> {
    return this.leftOut.walked({ agencyId, creatorId, kind }, refused, began);
  }

  /** A record that a walk no longer shows is gone (D50, D54), unless a record of the walk had no usable id (D65). */
  async removeUnseen<Row extends NativeRecordDocument>(
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

  /** At the rate of bulk work. D72: `not_found` if the creator was erased, even while its records were read. */
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

  /** A worker that gets no request walks the creator at its next time. */
  private async leaveToWorker(creatorId: CreatorId): Promise<void> {
    await this.commandTasks.runNow(taskId(CASE_WALK, creatorId), this.ports.clock.now()).catch(() => undefined);
  }
}
