import { Module } from '@nestjs/common';
import { repositoryProvider } from '#kernel';
import { readModelProvider } from '#projections';
import { AgencyRepository, ApiKeyRepository } from './application/agency.repository.js';
import { AgencyAccess } from './application/agency-access.js';
import { ListPaymentMethodsHandler, OpenBillingPageHandler } from './application/agency-billing.js';
import { BindAgencyHandler, DescribeAgencyHandler, GetBindingHandler } from './application/bind-agency.js';
import { IssueKeyHandler } from './application/issue-key.js';
import { KeyUses } from './application/key-uses.js';
import { ApiKeyAccess, GetKeyHandler, ListKeysHandler } from './application/list-keys.js';
import { RevokeKeyHandler } from './application/revoke-key.js';
import { KeyList, keyListProjection } from './read-models/key-list.js';

@Module({
  providers: [
    repositoryProvider(AgencyRepository),
    AgencyAccess,
    repositoryProvider(ApiKeyRepository),
    ApiKeyAccess,
    KeyUses,
    readModelProvider(KeyList, keyListProjection),
    BindAgencyHandler,
    IssueKeyHandler,
    RevokeKeyHandler,
    ListKeysHandler,
    GetKeyHandler,
    GetBindingHandler,
    DescribeAgencyHandler,
    ListPaymentMethodsHandler,
    OpenBillingPageHandler,
  ],
  exports: [AgencyAccess, ApiKeyAccess, KeyUses],
})
export class AgenciesModule {}
