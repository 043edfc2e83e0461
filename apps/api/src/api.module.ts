import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { TerminusModule } from '@nestjs/terminus';
import { KeyUses } from '#agencies';
import { RequestLog } from '#dashboard';
import { DtoPipe, ErrorFilter } from '#http';
import { Clock, Logger } from '#kernel';
import { ErasureFollower } from '#privacy';
import { AgenciesController } from './http/agencies.controller.js';
import { CasesController } from './http/cases.controller.js';
import { CreatorsController } from './http/creators.controller.js';
import { DeindexingController } from './http/deindexing.controller.js';
import { EventsController } from './http/events.controller.js';
import { HealthController } from './http/health.controller.js';
import { ImpersonationsController } from './http/impersonations.controller.js';
import { InvitationsController } from './http/invitations.controller.js';
import { ScansController } from './http/scans.controller.js';
import { AccessGuard, Admission } from './http/transport/access/admission.js';
import { ApiKeyGate } from './http/transport/access/api-key-gate.js';
import { KeyFollower } from './http/transport/access/key-follower.js';
import { UsageController } from './http/usage.controller.js';

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [
    AgenciesController,
    CreatorsController,
    InvitationsController,
    ScansController,
    CasesController,
    DeindexingController,
    ImpersonationsController,
    EventsController,
    UsageController,
    HealthController,
  ],
  providers: [
    KeyFollower,
    ApiKeyGate,
    Admission,
    RequestLog,
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
      this.logger.warn(
        { err: error },
        'could not record since when uses of keys are recorded; the next start tries again',
      );
    });
  }
}
