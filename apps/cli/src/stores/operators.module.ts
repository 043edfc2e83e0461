import { Global, Module } from '@nestjs/common';
import { AuditModule } from '#audit/module';
import { ReplaceableMasterKey } from '#privacy';
import { PrivacyModule } from '#privacy/module';
import { MasterKeys } from '#stores';

/** What operators do that the service does not: erase, export, audit, replace the master key. */
@Global()
@Module({
  imports: [PrivacyModule, AuditModule],
  providers: [{ provide: ReplaceableMasterKey, useExisting: MasterKeys }],
  exports: [ReplaceableMasterKey],
})
export class OperatorsModule {}
