import { Injectable } from '@nestjs/common';
import { CaseAccess } from '#cases';
import { CreatorAccess, hasLeft, isErased, isFound, type LoadedCreator } from '#creators';
import { type CommandContext, type Duration, FairSemaphore } from '#kernel';
import { completeScan, type KnownScan } from '../domain/scan.js';
import type { ScanJob } from '../domain/scan-job.js';
import { type LoadedScan, ScanRepository } from './scan.repository.js';

/** How many scans of one agency read findings at a time, so that its other scans need not wait for all. */
const COMPLETIONS_PER_AGENCY = 3;
/** How long a completion waits for that before it makes room for other scans of the agency. */
const PERMIT_TIMEOUT: Duration = 200;

@Injectable()
export class ScanCompletion {
  private readonly completions = new FairSemaphore({ perAgency: COMPLETIONS_PER_AGENCY });

  constructor(
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
    private readonly cases: CaseAccess,
  ) {}

  /** D48: the findings are recorded first; then the scan is completed. False if they cannot be read now. */
  async complete(
    scan: LoadedScan<KnownScan>,
    job: ScanJob,
    creator: LoadedCreator,
    context: CommandContext,
  ): Promise<boolean> {
    if (!(await this.readFindings(scan.state, job, creator, context))) return false;
    await this.scans.update(scan, context, (state, now) => completeScan(state, job, now));
    return true;
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
    const read = () => this.cases.synchronize(linked, context, { finished: { scanId, jobId, createdAt } });
    const outcome = await this.completions.run(agencyId, read, { timeout: PERMIT_TIMEOUT });
    if (outcome !== 'not_a_member') return outcome !== undefined;
    const { state: seen } = await this.creators.reportMissing(creator, context);
    // A creator that has left has no findings to wait for. A missing one may return, so this is no
    // failure: after three failures the scan would be set aside (D67).
    return seen.status !== 'known' || hasLeft(seen);
  }
}
