import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { CasesModule } from '#cases/module';
import { CreatorsModule } from '#creators/module';
import { DeindexingModule } from '#deindexing/module';
import { EventFeedModule } from '#event-feed/module';
import { ImpersonationsModule } from '#impersonations/module';
import { ScansModule } from '#scans/module';
import { UsageModule } from '#usage/module';
import { WebhooksModule } from '#webhooks/module';

const MODULES = [
  AgenciesModule,
  CreatorsModule,
  ImpersonationsModule,
  CasesModule,
  ScansModule,
  DeindexingModule,
  UsageModule,
  EventFeedModule,
  WebhooksModule,
];

@Module({ imports: MODULES, exports: MODULES })
export class ContextsModule {}
