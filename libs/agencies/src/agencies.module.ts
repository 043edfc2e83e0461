import { Module } from '@nestjs/common';
import { Clock, CommandRunner } from '#kernel';
import { readModelProvider } from '#projections';
import { AgenciesOptions } from './agencies.options.js';
import { AgencyAccess } from './application/agency-access.js';
import { AgencyAccounts } from './application/agency-accounts.js';
import { KeyUses } from './application/key-uses.js';
import { AgencyDirectory } from './application/ports.js';
import { KeyList, keyListProjection } from './read-models/key-list.js';

@Module({
  providers: [
    {
      provide: AgencyAccess,
      useFactory: (runner: CommandRunner, directory: AgencyDirectory, clock: Clock, options: AgenciesOptions) =>
        new AgencyAccess(runner, directory, clock, options.verificationCache),
      inject: [CommandRunner, AgencyDirectory, Clock, AgenciesOptions],
    },
    AgencyAccounts,
    KeyUses,
    readModelProvider(KeyList, keyListProjection),
  ],
  exports: [AgencyAccess, AgencyAccounts, KeyUses, KeyList],
})
export class AgenciesModule {}
