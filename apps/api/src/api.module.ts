import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import type { Config } from '#configuration';
import { ErasureFollower } from '#creators';
import { CONFIG } from '../../service/src/tokens.js';
import { ApiOptions } from './api.options.js';
import { AccessGuard } from './http/access.guard.js';
import { ActivityController } from './http/activity/activity.controller.js';
import { ApiKeyGate } from './http/api-key-gate.js';
import { CasePages } from './http/cases/case-pages.js';
import { CasesController } from './http/cases/cases.controller.js';
import { ReportController } from './http/cases/report.controller.js';
import { ConnectionController } from './http/connection/connection.controller.js';
import { CapacityController } from './http/creators/capacity.controller.js';
import { CreatorsController } from './http/creators/creators.controller.js';
import { InvitationsController } from './http/creators/invitations.controller.js';
import { DeindexingController } from './http/deindexing/deindexing.controller.js';
import { ErrorFilter } from './http/error.filter.js';
import { EventsController } from './http/events/events.controller.js';
import { HealthController } from './http/health/health.controller.js';
import { ImpersonationsController } from './http/impersonations/impersonations.controller.js';
import { KeyFollower } from './http/key-follower.js';
import { ScansController } from './http/scans/scans.controller.js';
import { UsageController } from './http/usage/usage.controller.js';
import { DtoPipe } from './http/validation/dto.pipe.js';
import { WorkspacesController } from './http/workspaces/workspaces.controller.js';

/** The REST service. The root module provides what all apps share. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
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
    KeyFollower,
    ApiKeyGate,
    CasePages,
    {
      provide: ApiOptions,
      useFactory: ({ rateLimitPerMinute, trustedProxies }: Config): ApiOptions => ({
        rateLimitPerMinute,
        trustedProxies,
      }),
      inject: [CONFIG],
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_PIPE, useClass: DtoPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class ApiModule implements OnApplicationBootstrap {
  constructor(private readonly erasures: ErasureFollower) {}

  onApplicationBootstrap(): void {
    this.erasures.start();
  }
}
