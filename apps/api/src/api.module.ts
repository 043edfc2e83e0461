import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { TerminusModule } from '@nestjs/terminus';
import { Creators, Enrollments, IdentityUpdates, Protections, Removals, Resends, RosterReading } from '#creators';
import { creatorHandlers } from '#creators/handlers';
import { Deindexing } from '#deindexing';
import { deindexingHandlers } from '#deindexing/handlers';
import { ImpersonationReports } from '#impersonations';
import { impersonationHandlers } from '#impersonations/handlers';
import type { Logger } from '#kernel';
import { Scans } from '#scans';
import { scanHandlers } from '#scans/handlers';
import type { Services } from '../../composition/src/index.js';
import { AccessGuard } from './http/access.guard.js';
import { ActivityController } from './http/activity/activity.controller.js';
import { ListActivityHandler } from './http/activity/list-activity.js';
import { CasesController } from './http/cases/cases.controller.js';
import { ListCasesHandler } from './http/cases/list-cases.js';
import { ReportController } from './http/cases/report.controller.js';
import { ConnectionController } from './http/connection/connection.controller.js';
import { CreatorsController } from './http/creators/creators.controller.js';
import { InvitationsController } from './http/creators/invitations.controller.js';
import { DeindexingController } from './http/deindexing/deindexing.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { EventsController } from './http/events/events.controller.js';
import { ListEventsHandler } from './http/events/list-events.js';
import { HealthController } from './http/health/health.controller.js';
import { ImpersonationsController } from './http/impersonations/impersonations.controller.js';
import { ListImpersonationsHandler } from './http/impersonations/list-impersonations.js';
import { ScansController } from './http/scans/scans.controller.js';
import { CapacityController } from './http/usage/capacity.controller.js';
import { UsageController } from './http/usage/usage.controller.js';
import { DtoPipe } from './http/validation/dto.pipe.js';
import { WorkspacesController } from './http/workspaces/workspaces.controller.js';
import { LOGGER, SERVICES } from './tokens.js';

@Module({})
export class ApiModule {
  /** The REST service over services that somebody else made, and will close. */
  static over(services: Services, logger: Logger): DynamicModule {
    return {
      module: ApiModule,
      imports: [CqrsModule.forRoot(), TerminusModule.forRoot({ logger: false }), DiscoveryModule],
      controllers: [
        ConnectionController,
        WorkspacesController,
        CreatorsController,
        InvitationsController,
        ScansController,
        CasesController,
        DeindexingController,
        ReportController,
        ActivityController,
        ImpersonationsController,
        EventsController,
        UsageController,
        CapacityController,
        HealthController,
      ],
      providers: [
        { provide: SERVICES, useValue: services },
        { provide: LOGGER, useValue: logger },
        { provide: Creators, useValue: services.creators },
        { provide: Enrollments, useValue: services.enrollments },
        { provide: IdentityUpdates, useValue: services.identityUpdates },
        { provide: Protections, useValue: services.protections },
        { provide: Removals, useValue: services.removals },
        { provide: Resends, useValue: services.resends },
        { provide: RosterReading, useValue: services.roster },
        { provide: Scans, useValue: services.scans },
        { provide: ImpersonationReports, useValue: services.impersonationReports },
        { provide: Deindexing, useValue: services.deindexing },
        ...creatorHandlers,
        ...scanHandlers,
        ...impersonationHandlers,
        ...deindexingHandlers,
        ListCasesHandler,
        ListActivityHandler,
        ListImpersonationsHandler,
        ListEventsHandler,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
