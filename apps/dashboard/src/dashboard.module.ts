import { type DynamicModule, Module, type OnModuleInit, type Type } from '@nestjs/common';
import type { Config } from '#configuration';
import { CallCounts, DASHBOARD_SESSIONS, RefusedRequests, Sessions } from '#dashboard';
import { DocumentStore } from '#kernel';
import { DashboardGuard } from './access/dashboard.guard.js';
import { DashboardReads } from './access/dashboard-reads.js';
import { SessionGate } from './access/session-gate.js';
import { Visits } from './access/visits.js';
import { DashboardAddress } from './address.js';
import { ApiAddress } from './api-address.js';
import { BillingController } from './billing/billing.controller.js';
import { DashboardCookies } from './cookies.js';
import { CreatorHistoryController } from './creators/creator-history.controller.js';
import { CaseFileController, DashboardCreatorsController } from './creators/creators.controller.js';
import { CreatorNames, RecordsOfCreators, SeenCreators } from './creators/found-creators.js';
import { DashboardOptions } from './dashboard.options.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { EventsController } from './events/events.controller.js';
import { KeysController } from './keys/keys.controller.js';
import { LiveController } from './live/live.controller.js';
import { LiveChanges } from './live/live-changes.js';
import { LoginController } from './login/login.controller.js';
import { LoginCookies } from './login/login-cookie.js';
import { OverviewController } from './overview/overview.controller.js';
import { ClaimsRenewal } from './provider/claims-renewal.js';
import { IdentityProvider } from './provider/identity-provider.js';
import { ReplaysController } from './replays/replays.controller.js';
import { RequestsController } from './requests/requests.controller.js';
import { SearchController } from './search/search.controller.js';
import { PageServer } from './serving/page-server.js';
import { SessionController } from './session/session.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { UsageFileController } from './usage/usage-file.controller.js';
import { EndpointsController } from './webhooks/endpoints.controller.js';

/** One controller for each page; they send the same commands and queries as REST and the operators' tool. */
const CONTROLLERS: Type[] = [
  LoginController,
  SessionController,
  DashboardCreatorsController,
  CreatorHistoryController,
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

/** The dashboard: its page, the login, and the JSON that the page asks for. Without an issuer there is none. */
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
        DashboardAddress,
        DashboardCookies,
        Sessions,
        IdentityProvider,
        ClaimsRenewal,
        LoginCookies,
        SessionGate,
        DashboardGuard,
        Visits,
        PageServer,
        CreatorNames,
        SeenCreators,
        RecordsOfCreators,
        DashboardReads,
        LiveChanges,
        ApiAddress,
        CallCounts,
        RefusedRequests,
      ],
    };
  }

  async onModuleInit(): Promise<void> {
    await this.documents.ensure([DASHBOARD_SESSIONS]);
  }
}

@Module({})
class NoDashboard {}
