import { Injectable } from '@nestjs/common';
import {
  CreatorAccess,
  type EnrolledCreator,
  isFound,
  type LoadedCreator,
  searchedIdentity,
  wasPausedAfter,
} from '#creators';
import { ClockWatch } from '#jobs';
import {
  type CommandContext,
  decideAfterWait,
  EventLog,
  holds,
  type OrderProtocol,
  type Position,
  type ScanId,
} from '#kernel';
import type { ScanEvent } from '../domain/scan.events.js';
import {
  cancelQueuedScan,
  type DispatchedScan,
  dispatchScan,
  isDispatched,
  isKnown,
  orderOf,
  type PendingScan,
  recordJob,
  recordJobNotFound,
  recordOutcomeUnknown,
  rejectScan,
  resumeScan,
  type Scan,
} from '../domain/scan.js';
import { scanHandles } from '../domain/scan-handles.js';
import type { ScanJob } from '../domain/scan-job.js';
import { ScansOptions } from '../scans.options.js';
import type { LoadedScan } from './scan.repository.js';
import { scanCancellation } from './scan-cancellation.js';
import { ScanCompletion } from './scan-completion.js';
import { ScanEngine } from './scan-engine.js';

/** A scan as an order to the engine: in what it differs from other orders. */
@Injectable()
export class ScanOrders {
  constructor(
    private readonly log: EventLog,
    private readonly creators: CreatorAccess,
    private readonly engine: ScanEngine,
    private readonly completion: ScanCompletion,
    private readonly clocks: ClockWatch,
    private readonly options: ScansOptions,
  ) {}

  of(
    loaded: LoadedScan<PendingScan>,
    context: CommandContext,
  ): OrderProtocol<Scan, DispatchedScan, ScanEvent, ScanId, ScanJob> {
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
      remaining: (wait) => this.clocks.remainingFor(loaded, wait),
      orderOf,
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
        return this.completion.complete(scan, job, creator, context);
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
}
