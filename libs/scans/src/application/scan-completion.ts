import { Injectable } from '@nestjs/common';
import { CaseAccess } from '#cases';
import { CreatorAccess, hasLeft, isErased, isFound, type LoadedCreator } from '#creators';
import { AGENCY_PERMIT_TIMEOUT, AgencyPermits, type CommandContext, DomainError } from '#kernel';
import { completeScan, type KnownScan } from '../domain/scan.js';
import type { ScanJob } from './ports.js';
import { type LoadedScan, ScanRepository } from './scan.repository.js';

/** Scans of one agency whose findings are read at a time: those of the others must not wait until all are read. */
const COMPLETIONS_PER_AGENCY = 3;

/** Completes a scan with its findings. */
@Injectable()
export class ScanCompletion {
  private readonly completions = new AgencyPermits(COMPLETIONS_PER_AGENCY);

  constructor(
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
    private readonly cases: CaseAccess,
  ) {}

  /**
   * D48: the findings first, attributed to the scan; only then is it said to be complete. False if they cannot be read
   * now, and later may.
   */
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
    if (!isFound(creator) || creator.state.userId === null) throw new DomainError('internal_error');
    // D72: nothing is observed any more of a creator whose data was erased.
    if (isErased(creator.state)) return true;
    const linked = { creatorId, agencyId, workspaceId, userId: creator.state.userId };
    const read = () => this.cases.synchronise(linked, context, { finished: { scanId, jobId, createdAt } });
    const outcome = await this.completions.run(agencyId, read, { timeout: AGENCY_PERMIT_TIMEOUT });
    if (outcome !== 'not_a_member') return outcome !== undefined;
    const { state: seen } = await this.creators.reportMissing(creator, context);
    // Of a creator that has left there are no findings to wait for. One that is missing may return, and that is no
    // failure: three of those would set the scan aside for good (D67).
    return seen.status !== 'known' || hasLeft(seen);
  }
}
