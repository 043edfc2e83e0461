import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ReportImpersonation } from './application/commands.js';
import { ImpersonationReports, type Reported } from './application/impersonation-reports.js';

@CommandHandler(ReportImpersonation)
export class ReportImpersonationHandler implements ICommandHandler<ReportImpersonation, Reported> {
  constructor(private readonly reports: ImpersonationReports) {}

  execute({ creatorId, url, scope, idempotencyKey, context }: ReportImpersonation): Promise<Reported> {
    return this.reports.report(creatorId, url, scope, idempotencyKey, context);
  }
}

export const impersonationHandlers = [ReportImpersonationHandler];
