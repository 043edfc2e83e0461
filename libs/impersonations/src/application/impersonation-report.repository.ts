import { Injectable } from '@nestjs/common';
import { CommandRunner, type LoadedState, Repository } from '#kernel';
import type { ImpersonationReportEvent } from '../domain/impersonation-report.events.js';
import { type ImpersonationReport, impersonationReportDecider } from '../domain/impersonation-report.js';

export type LoadedReport = LoadedState<ImpersonationReport>;

@Injectable()
export class ImpersonationReportRepository extends Repository<ImpersonationReport, ImpersonationReportEvent, string> {
  constructor(runner: CommandRunner) {
    super(impersonationReportDecider, runner);
  }
}
