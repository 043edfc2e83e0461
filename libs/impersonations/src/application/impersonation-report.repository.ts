import { Injectable } from '@nestjs/common';
import { CommandRunner, Repository } from '#kernel';
import type { ImpersonationReportEvent } from '../domain/impersonation-report.events.js';
import { type ImpersonationReport, impersonationReportDecider } from '../domain/impersonation-report.js';

@Injectable()
export class ImpersonationReportRepository extends Repository<ImpersonationReport, ImpersonationReportEvent, string> {
  constructor(runner: CommandRunner) {
    super(impersonationReportDecider, runner);
  }
}
