import { Injectable } from '@nestjs/common';
import { CommandRunner, type CreatorId, type LoadedState, Repository } from '#kernel';
import { type ScanAllowance, type ScanAllowanceEvent, scanAllowanceDecider } from '../domain/scan-allowance.js';

export type LoadedScanAllowance = LoadedState<ScanAllowance, CreatorId>;

@Injectable()
export class ScanAllowanceRepository extends Repository<ScanAllowance, ScanAllowanceEvent, CreatorId> {
  constructor(runner: CommandRunner) {
    super(scanAllowanceDecider, runner);
  }
}
