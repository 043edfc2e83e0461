import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { CommandContext, CreatorId, ScanId } from '#kernel';
import { releaseScan } from '../domain/scan-allowance.js';
import { ScanAllowanceRepository } from './scan-allowance.repository.js';

/** Frees the creator's allowance for the next scan, because this one has ended. A repeat changes nothing. */
export class ReleaseScan extends Command<void> {
  constructor(
    readonly creatorId: CreatorId,
    readonly scanId: ScanId,
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ReleaseScan)
export class ReleaseScanHandler implements ICommandHandler<ReleaseScan> {
  constructor(private readonly allowances: ScanAllowanceRepository) {}

  async execute({ creatorId, scanId, context }: ReleaseScan): Promise<void> {
    await this.allowances.update(creatorId, context, (allowance) => releaseScan(allowance, scanId, 'ended'));
  }
}
