import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AgencyAccess } from '#agencies';
import { CaseSynchronization } from '#cases';
import {
  CreatorAccess,
  type CreatorState,
  type EnrolledCreator,
  hasLeft,
  isErased,
  isFound,
  type LoadedCreator,
  searchedIdentity,
  wasPausedAfter,
} from '#creators';
import { TaskCommand } from '#jobs';
import {
  advanceOutboundCall,
  ClockWatch,
  type CommandContext,
  type Duration,
  decideAfterWait,
  EventLog,
  endDeadLetter,
  FairSemaphore,
  holds,
  type OutboundCallProtocol,
  type Position,
  type ScanId,
  type TaskOutcome,
} from '#kernel';
import type { ScanEvent, ScanJob } from '../domain/scan.events.js';
import {
  cancelQueuedScan,
  completeScan,
  type DispatchedScan,
  dispatchScan,
  endDeadLetterScan,
  isDispatched,
  isKnown,
  isPending,
  type KnownScan,
  outboundCallOf,
  type PendingScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  resumeScan,
  type Scan,
  type ScanCancellation,
} from '../domain/scan.js';
import { scanHandles } from '../domain/scan-handles.js';
import { ScanEngine, ScansOptions } from './ports.js';
import { type LoadedScan, ScanRepository } from './scans.repository.js';

/** How many scans of one agency read findings at a time, so that its other scans need not wait for all. */
const COMPLETIONS_PER_AGENCY = 3;
/** How long a completion waits for that before it makes room for other scans of the agency. */
const PERMIT_TIMEOUT: Duration = 200;

/** One step of a scan; one whose task was set aside ends, now or after it has been uncertain for 72 hours (D87). */
export class AdvanceScan extends TaskCommand<ScanId> {}

@CommandHandler(AdvanceScan)
export class AdvanceScanHandler implements ICommandHandler<AdvanceScan> {
  private readonly completions = new FairSemaphore({ perAgency: COMPLETIONS_PER_AGENCY });

  constructor(
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
    private readonly cases: CaseSynchronization,
    private readonly engine: ScanEngine,
    private readonly access: AgencyAccess,
    private readonly log: EventLog,
    private readonly clocks: ClockWatch,
    private readonly options: ScansOptions,
  ) {}

  async execute({ subject: scanId, context, isSetAside }: AdvanceScan): Promise<TaskOutcome> {
    const { scans: repository, clocks } = this;
    const scan = await repository.load(scanId);
    if (!holds(scan, isPending)) return 'idle';
    const isUncertain = ({ status }: Scan) => status === 'uncertain';
    if (isSetAside) return endDeadLetter(scan, context, { repository, end: endDeadLetterScan, isUncertain, clocks });
    const denied = await this.access.deniedUntil(scan.state.agencyId);
    return advanceOutboundCall(repository, scan, context, clocks, denied, this.protocolOf(scan, context));
  }

  private protocolOf(
    loaded: LoadedScan<PendingScan>,
    context: CommandContext,
  ): OutboundCallProtocol<Scan, DispatchedScan, ScanEvent, ScanId, ScanJob> {
    const { engine, options } = this;
    const { creatorId } = loaded.state;
    let creator: LoadedCreator | undefined;
    const apart = { wait: options.providerTimeout, left: this.clocks.remainingFor(loaded, options.providerTimeout) };
    const notFound = decideAfterWait<Scan, ScanEvent>(loaded, apart, (state, now) =>
      recordJobNotFound(state, options.providerTimeout, now),
    );
    return {
      isConfigured: engine.configured,
      callTimeout: options.providerTimeout,
      outboundCallOf,
      isCalled: isDispatched,
      wanted: async (scan, isNotFound) => {
        // While the engine may have a job, it is followed, wanted or not.
        if (isDispatched(scan.state) && !isNotFound) return 'yes';
        creator = await this.creators.recorded(creatorId);
        return isFound(creator) && (await this.isActive(creator.state, scan)) ? 'yes' : 'no';
      },
      intent: (state) => {
        if (state.status !== 'queued') return resumeScan(state);
        return creator !== undefined && isFound(creator)
          ? dispatchScan(state, scanHandles(searchedIdentity(creator.state)))
          : [];
      },
      call: ({ scanId, agencyId, handles }) => {
        if (creator === undefined || !isFound(creator) || creator.state.userId === null) {
          throw new Error(`${scanId} is a scan of a creator without a native user`);
        }
        return engine.dispatch({ reference: scanId, agencyId, userId: creator.state.userId, handles });
      },
      lookUp: ({ scanId, status, jobId }) =>
        jobId === null || status === 'uncertain' ? engine.findJob(scanId) : engine.getJob(jobId),
      answered: recordJob,
      refused: rejectScan,
      unknown: recordOutcomeUnknown,
      cancel: (state, now, position) =>
        creator !== undefined && state.status === 'queued'
          ? cancelQueuedScan(state, now, scanCancellation(creator.state))
          : notFound(state, now, position),
      follow: async (scan, job) => {
        if (job.status !== 'completed' || !holds(scan, isKnown)) return false;
        creator ??= await this.creators.recorded(creatorId);
        // The findings are recorded first (D48).
        if (!(await this.readFindings(scan.state, job, creator, context))) return false;
        await this.scans.update(scan, context, (state, now) => completeScan(state, job, now));
        return true;
      },
      pollEvery: (state) =>
        state.status === 'uncertain' && state.missingSince !== null ? options.providerTimeout : options.pollEvery,
    };
  }

  /** D79: a pause cancels what was queued before it, even if protection has been activated again since. */
  private async isActive(
    { creatorId, protection }: EnrolledCreator,
    { state, position }: { readonly state: Scan; readonly position: Position },
  ): Promise<boolean> {
    if (protection.status !== 'active') return false;
    return isDispatched(state) || !protection.wasPaused || !(await wasPausedAfter(this.log, creatorId, position));
  }

  private async readFindings(
    { scanId, agencyId, workspaceId, creatorId, createdAt }: KnownScan,
    { jobId }: ScanJob,
    creator: LoadedCreator,
    context: CommandContext,
  ): Promise<boolean> {
    if (!isFound(creator) || creator.state.userId === null) {
      throw new Error(`${scanId} is a scan of ${creatorId}, which has no native user`);
    }
    // D72: nothing is observed of an erased creator.
    if (isErased(creator.state)) return true;
    const linked = { creatorId, agencyId, workspaceId, userId: creator.state.userId };
    const read = () => this.cases.recent(linked, context, { finished: { scanId, jobId, createdAt } });
    const outcome = await this.completions.run(agencyId, read, { timeout: PERMIT_TIMEOUT });
    if (outcome !== 'not_a_member') return outcome !== undefined;
    const { state: seen } = await this.creators.reportMissing(creator, context);
    // A creator that has left has no findings to wait for. A missing one may return, so this is no
    // failure: after three failures the scan would be set aside (D67).
    return seen.status !== 'known' || hasLeft(seen);
  }
}

export const scanCancellation = (creator: CreatorState): ScanCancellation =>
  isErased(creator) ? 'personal_data_erased' : 'protection_paused';
