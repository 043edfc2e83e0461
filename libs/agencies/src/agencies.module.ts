import { Module } from '@nestjs/common';
import { Clock, CommandRunner } from '#kernel';
import { readModelProvider } from '#projections';
import { AgenciesOptions } from './agencies.options.js';
import { AgencyRepository } from './application/agency.repository.js';
import { AgencyAccess } from './application/agency-access.js';
import { AgencyDirectory } from './application/agency-directory.js';
import { ApiKeyRepository } from './application/api-key.repository.js';
import { BindAgencyHandler } from './application/bind-agency.js';
import { GetBindingHandler } from './application/get-binding.js';
import { IssueKeyHandler } from './application/issue-key.js';
import { KeyUses } from './application/key-uses.js';
import { ListKeysHandler } from './application/list-keys.js';
import { RevokeKeyHandler } from './application/revoke-key.js';
import { KeyList, keyListProjection } from './read-models/key-list.js';

@Module({
  providers: [
    {
      provide: AgencyAccess,
      useFactory: (runner: CommandRunner, directory: AgencyDirectory, clock: Clock, options: AgenciesOptions) =>
        new AgencyAccess(runner, directory, clock, options.verificationCache),
      inject: [CommandRunner, AgencyDirectory, Clock, AgenciesOptions],
    },
    AgencyRepository,
    ApiKeyRepository,
    KeyUses,
    readModelProvider(KeyList, keyListProjection),
    BindAgencyHandler,
    IssueKeyHandler,
    RevokeKeyHandler,
    ListKeysHandler,
    GetBindingHandler,
  ],
  exports: [AgencyAccess, ApiKeyRepository, KeyUses],
})
export class AgenciesModule {}
