import { type DynamicModule, Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuditModule } from '#audit/module';
import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { CallCounts, RefusedRequests } from '#dashboard';
import { silentLogger, systemClock } from '#kernel';
import { Metrics } from '#observability';
import { ReplaceableMasterKey } from '#privacy';
import { PrivacyModule } from '#privacy/module';
import { type KeyNeed, MasterKeys, openStores } from '#stores';
import { requireLogOf } from '../../../service/src/documents-check.js';
import { ServiceModule, type ServiceOptions } from '../../../service/src/service.module.js';
import { Operator, ToolRunners } from '../operator.js';

/** Only operators do this: erase, export, audit, replace the master key. */
@Global()
@Module({
  imports: [PrivacyModule, AuditModule],
  providers: [{ provide: ReplaceableMasterKey, useExisting: MasterKeys }],
  exports: [ReplaceableMasterKey],
})
export class OperatorsModule {}

@Module({})
export class CliModule {
  static forRoot(options: ServiceOptions): DynamicModule {
    return {
      module: CliModule,
      imports: [ServiceModule.forRoot(options), OperatorsModule],
      providers: [Operator, ToolRunners, CallCounts, RefusedRequests],
    };
  }
}

export type { KeyNeed };

export const withOperator = async (
  environment: NodeJS.ProcessEnv,
  need: KeyNeed,
  task: (operator: Operator) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const root = CliModule.forRoot({
    config,
    openStores: () => openStores(config, STORED_EVENTS, { need, work: 'background', check: requireLogOf }),
    clock: systemClock,
    logger: silentLogger,
    metrics: new Metrics(),
    need,
  });
  const app = await NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
  try {
    await task(app.get(Operator));
  } finally {
    await app.close();
  }
};
