import { Module } from '@nestjs/common';
import { readModelProvider } from '#projections';
import { AgencyRepository } from './application/agency.repository.js';
import { AgencyAccess } from './application/agency-access.js';
import { ApiKeyRepository } from './application/api-key.repository.js';
import { ApiKeyAccess } from './application/api-key-access.js';
import { BindAgencyHandler } from './application/bind-agency.js';
import { DescribeAgencyHandler } from './application/describe-agency.js';
import { GetBindingHandler } from './application/get-binding.js';
import { GetKeyHandler } from './application/get-key.js';
import { IssueKeyHandler } from './application/issue-key.js';
import { KeyUses } from './application/key-uses.js';
import { ListKeysHandler } from './application/list-keys.js';
import { ListPaymentMethodsHandler } from './application/list-payment-methods.js';
import { OpenBillingPageHandler } from './application/open-billing-page.js';
import { RevokeKeyHandler } from './application/revoke-key.js';
import { KeyList, keyListProjection } from './read-models/key-list.js';

@Module({
  providers: [
    AgencyRepository,
    AgencyAccess,
    ApiKeyRepository,
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
