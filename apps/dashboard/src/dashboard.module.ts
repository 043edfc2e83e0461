import { type DynamicModule, Module, type OnModuleInit, type Type } from '@nestjs/common';
import type { Config } from '#configuration';
import {
  CallCounts,
  ClaimsRenewal,
  DASHBOARD_PEOPLE,
  DASHBOARD_SESSIONS,
  IdentityProvider,
  NamedPeople,
  ProviderOptions,
  RefusedRequests,
  Sessions,
} from '#dashboard';
import { DocumentStore } from '#kernel';
import { ActorNames } from './access/actor-names.js';
import { DashboardReads } from './access/dashboard-reads.js';
import { DashboardSessions } from './access/dashboard-sessions.js';
import { DashboardGuard } from './access/rights.js';
import { SessionGate } from './access/session-gate.js';
import { DashboardAddress, DashboardOptions } from './address.js';
import { BillingController } from './billing/billing.controller.js';
import { CodeSamples } from './code-samples.js';
import { DashboardCookies } from './cookies.js';
import { CaseFileController, CasesController } from './creators/cases.controller.js';
import { CreatorHistoryController } from './creators/creator-history.controller.js';
import { DashboardCreatorsController } from './creators/creators.controller.js';
import { FoundCreators } from './creators/found-creators.js';
import { DeliveriesController, ReplaysController } from './deliveries/deliveries.controller.js';
import { DeliveryNames } from './deliveries/delivery-names.js';
import { EventsController } from './events/events.controller.js';
import { KeysController } from './keys/keys.controller.js';
import { LiveChanges, LiveController } from './live/live-changes.js';
import { LoginController } from './login/login.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { SearchController } from './search/search.controller.js';
import { PageServer } from './serving/page-server.js';
import { SessionController } from './session/session.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageFileController } from './usage/usage-file.controller.js';
import { EndpointsController } from './webhooks/endpoints.controller.js';

/** Each page has a controller, which sends the same commands and queries as REST and the operators' tool. */
const CONTROLLERS: Type[] = [
  LoginController,
  SessionController,
  DashboardCreatorsController,
  CreatorHistoryController,
  CasesController,
  CaseFileController,
  UsageController,
  UsageFileController,
  SearchController,
  LiveController,
  OverviewController,
  KeysController,
  RequestsController,
  BillingController,
  EndpointsController,
  DeliveriesController,
  EventsController,
  ReplaysController,
];

/** The dashboard's page, login and JSON. Without an issuer there is none. */
@Module({})
export class DashboardModule implements OnModuleInit {
  constructor(private readonly documents: DocumentStore) {}

  static forRoot({ dashboard, apiUrl, trustedProxies, providerTimeout }: Config): DynamicModule {
    if (dashboard === undefined) return { module: NoDashboard };
    const options: DashboardOptions = { ...dashboard, apiUrl, trustedProxies, providerTimeout };
    return {
      module: DashboardModule,
      controllers: CONTROLLERS,
      providers: [
        { provide: DashboardOptions, useValue: options },
        { provide: ProviderOptions, useExisting: DashboardOptions },
        DashboardAddress,
        DashboardCookies,
        NamedPeople,
        Sessions,
        IdentityProvider,
        ClaimsRenewal,
        SessionGate,
        DashboardGuard,
        DashboardSessions,
        PageServer,
        FoundCreators,
        ActorNames,
        DeliveryNames,
        DashboardReads,
        LiveChanges,
        CodeSamples,
        CallCounts,
        RefusedRequests,
      ],
    };
  }

  async onModuleInit(): Promise<void> {
    await this.documents.ensure([DASHBOARD_SESSIONS, DASHBOARD_PEOPLE]);
  }
}

@Module({})
class NoDashboard {}
