import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { TaskCommand } from '#jobs';
import type { CreatorId, TaskOutcome } from '#kernel';
import { isKnown, isPending } from '../domain/scan.js';
import { releaseScan } from '../domain/scan-allowance.js';
import { ScanRepository } from './scan.repository.js';
import { ScanAllowanceRepository } from './scan-allowance.repository.js';

/** It was set aside, was never sent, and does not count, so that a repeat of the request is admitted again (D87). */
export class EndDeadLetterAdmission extends TaskCommand<CreatorId> {}

@CommandHandler(EndDeadLetterAdmission)
export class EndDeadLetterAdmissionHandler implements ICommandHandler<EndDeadLetterAdmission> {
  constructor(
    private readonly scans: ScanRepository,
    private readonly allowances: ScanAllowanceRepository,
  ) {}

  async execute({ subject: creatorId, context }: EndDeadLetterAdmission): Promise<TaskOutcome> {
    const allowance = await this.allowances.load(creatorId);
    const { pending } = allowance.state;
    if (pending === null) return 'idle';
    const { state: scan } = await this.scans.load(pending.scanId);
    if (isPending(scan)) return 'idle';
    const outcome = isKnown(scan) ? 'ended' : 'conflict';
    await this.allowances.update(allowance, context, (state) => releaseScan(state, pending.scanId, outcome));
    return 'idle';
  }
}
