import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type AgencyScope, CreatorAccess } from '#creators';
import { type CommandContext, DomainError, type ScanId } from '#kernel';
import { isKnown, type KnownScan } from '../domain/scan.js';
import { ScanRepository } from './scan.repository.js';

/** A command, because the membership may have to be confirmed, and the platform's answer is recorded (D78). */
export class ObserveScan extends Command<KnownScan> {
  constructor(
    readonly scanId: ScanId,
    readonly scope: AgencyScope,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ObserveScan)
export class ObserveScanHandler implements ICommandHandler<ObserveScan> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly creators: CreatorAccess,
  ) {}

  async execute({ scanId, scope, context }: ObserveScan): Promise<KnownScan> {
    // A scan never changes its creator, so that a cached state says which one can be loaded at the same time.
    const cached = this.scans.cached(scanId)?.state;
    const [{ state: scan }, creator] = await Promise.all([
      this.scans.load(scanId),
      cached !== undefined && isKnown(cached) ? this.creators.recorded(cached.creatorId) : undefined,
    ]);
    if (!isKnown(scan) || scan.workspaceId !== scope.workspaceId) throw new DomainError('not_found');
    await this.creators.forRead(creator ?? scan.creatorId, scope, context);
    return scan;
  }
}
