import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ReportImpersonation } from './commands.js';
import { ImpersonationReports, type Reported } from './impersonation-reports.js';

@CommandHandler(ReportImpersonation)
export class ReportImpersonationHandler implements ICommandHandler<ReportImpersonation, Reported> {
  constructor(private readonly reports: ImpersonationReports) {}

  execute({ creatorId, url, scope, idempotencyKey, context }: ReportImpersonation): Promise<Reported> {
    return this.reports.report(creatorId, url, scope, idempotencyKey, context);
  }
}

export const caseHandlers = [ReportImpersonationHandler];
