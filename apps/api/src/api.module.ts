import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { KeyUses } from '#agencies';
import type { Config } from '#configuration';
import { RequestLog } from '#dashboard';
import { DtoPipe, ErrorFilter } from '#http';
import { Clock, Logger } from '#kernel';
import { ErasureFollower } from '#privacy';
import { CONFIG } from '../../service/src/tokens.js';
import { ApiOptions } from './api.options.js';
import { ConnectionController } from './http/agencies/connection.controller.js';
import { WorkspacesController } from './http/agencies/workspaces.controller.js';
import { ActivityController } from './http/cases/activity.controller.js';
import { CasePages } from './http/cases/case-pages.js';
import { CasesController } from './http/cases/cases.controller.js';
import { ReportController } from './http/cases/report.controller.js';
import { CapacityController } from './http/creators/capacity.controller.js';
import { CreatorsController } from './http/creators/creators.controller.js';
import { InvitationsController } from './http/creators/invitations.controller.js';
import { DeindexingController } from './http/deindexing/deindexing.controller.js';
import { EventsController } from './http/event-feed/events.controller.js';
import { HealthController } from './http/health/health.controller.js';
import { ImpersonationsController } from './http/impersonations/impersonations.controller.js';
import { ScansController } from './http/scans/scans.controller.js';
import { AccessGuard } from './http/transport/access/access.guard.js';
import { Admission } from './http/transport/access/admission.js';
import { ApiKeyGate } from './http/transport/access/api-key-gate.js';
import { KeyFollower } from './http/transport/access/key-follower.js';
import { UsageController } from './http/usage/usage.controller.js';

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
    Admission,
    RequestLog,
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
  constructor(
    private readonly erasures: ErasureFollower,
    private readonly keyUses: KeyUses,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.erasures.start();
    this.keyUses.recordFrom(this.clock.now()).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not note since when the uses of keys are recorded; the next start does');
    });
  }
}
