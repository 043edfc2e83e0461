import { type DynamicModule, type InjectionToken, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AgenciesOptions, AgencyBilling, AgencyDirectory } from '#agencies';
import { ActivityPlatform, CasesOptions, ImpersonationWalk, LeakPlatform } from '#cases';
import { ALL_PROJECTIONS, laneOf, taskProjection } from '#contexts';
import { CreatorPlatform, CreatorsOptions, ErasureHashes } from '#creators';
import { DeindexingOptions, SearchProvider } from '#deindexing';
import { ImpersonationPlatform, ImpersonationSynchronization, ImpersonationsOptions } from '#impersonations';
import { ImpersonationsModule } from '#impersonations/module';
import { Backpressure } from '#jobs';
import { JobsModule } from '#jobs/module';
import {
  BackgroundDocumentStore,
  Caches,
  Clock,
  DAY,
  DocumentStore,
  EventLog,
  Logger,
  MINUTE,
  SECOND,
  silentLogger,
} from '#kernel';
import { ProjectionsModule } from '#projections/module';
import { ScanEngine, ScansOptions } from '#scans';
import { UsageOptions } from '#usage';
import { SecretCipher, WebhookSender, WebhooksOptions } from '#webhooks';
import type { TestPorts } from './test-ports.js';

/** The object that is injected for a token. */
export interface Given {
  readonly provide: InjectionToken;
  readonly useValue: object;
}

export const given = <T extends object>(provide: abstract new (...given: never[]) => T, useValue: T): Given => ({
  provide,
  useValue,
});

/** All that the module of a context needs: stores in memory, the outside systems as fakes, and options. */
@Module({})
export class TestPortsModule {
  /** Providers in `replaced` override the ones below. */
  static forRoot(ports: TestPorts, replaced: readonly Given[]): DynamicModule {
    const providers = [
      ...portsOf(ports),
      ...OPTIONS,
      { provide: ImpersonationWalk, useExisting: ImpersonationSynchronization },
      ...replaced,
    ];
    const jobs = {
      tasks: taskProjection,
      logRunners: [],
      laneOf,
      onDeadLetter: () => undefined,
      onCheckpointRefused: () => undefined,
    };
    return {
      module: TestPortsModule,
      global: true,
      imports: [
        CqrsModule.forRoot(),
        ProjectionsModule.forRoot(ALL_PROJECTIONS),
        withReplaced(JobsModule.forRoot(jobs), [
          given(Backpressure, new Backpressure(() => Promise.resolve())),
          ...replaced,
        ]),
        ImpersonationsModule,
      ],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

/** The providers of an engine's module, some of them replaced. */
const withReplaced = (module: DynamicModule, replaced: readonly Given[]): DynamicModule => {
  const providers = module.providers ?? [];
  const tokens = new Set(providers.map((provider) => ('provide' in provider ? provider.provide : provider)));
  return { ...module, providers: [...providers, ...replaced.filter(({ provide }) => tokens.has(provide))] };
};

const portsOf = (ports: TestPorts): Given[] => [
  given(EventLog, ports.log),
  given(DocumentStore, ports.documents),
  given(BackgroundDocumentStore, ports.documents),
  given(Clock, ports.clock),
  given(Logger, silentLogger),
  { provide: Caches, useValue: Caches.ON },
  given(CreatorPlatform, ports.platform),
  given(AgencyDirectory, ports.directory),
  given(AgencyBilling, ports.billing),
  given(LeakPlatform, ports.leaks),
  given(ActivityPlatform, { listActivity: async () => ({ records: [], refused: [], nextCursor: null }) }),
  given(ImpersonationPlatform, ports.impostors),
  given(ScanEngine, ports.engine),
  given(SearchProvider, ports.search),
  given(WebhookSender, ports.sender),
];

const providerTimeout = 5 * SECOND;
const KEY = Buffer.alloc(32);

const OPTIONS: readonly Given[] = [
  given(AgenciesOptions, { verificationCache: 0 }),
  given(CreatorsOptions, { providerTimeout, syncEvery: MINUTE }),
  given(CasesOptions, { walkEvery: 15 * MINUTE, faviconTemplate: undefined }),
  given(ImpersonationsOptions, { providerTimeout, walkEvery: 15 * MINUTE }),
  given(ScansOptions, { providerTimeout, pollEvery: MINUTE, scheduleEvery: DAY }),
  given(DeindexingOptions, { providerTimeout, pollEvery: MINUTE }),
  given(UsageOptions, { pricing: { perCreatorMonth: undefined, minimumMonthly: 0, currency: 'EUR' } }),
  given(WebhooksOptions, { backoff: [MINUTE] }),
  given(ErasureHashes, new ErasureHashes(KEY)),
  given(SecretCipher, new SecretCipher({ current: KEY, all: [KEY] })),
];
