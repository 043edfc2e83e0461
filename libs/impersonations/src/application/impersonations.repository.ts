import { type ImpersonationId, repositoryOf } from '#kernel';
import { type ImpersonationEvent, type ImpersonationState, impersonationDecider } from '../domain/impersonation.js';
import {
  type ImpersonationReport,
  type ImpersonationReportEvent,
  impersonationReportDecider,
} from '../domain/impersonation-report.js';

export class ImpersonationRepository extends repositoryOf<ImpersonationState, ImpersonationEvent, ImpersonationId>(
  impersonationDecider,
) {}
export class ImpersonationReportRepository extends repositoryOf<ImpersonationReport, ImpersonationReportEvent, string>(
  impersonationReportDecider,
) {}
