import { type DynamicModule, type InjectionToken, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AgenciesOptions } from '#agencies';
import { CasesOptions, ImpersonationWalk } from '#cases';
import type { Config } from '#configuration';
import { ALL_PROJECTIONS, laneOf, OTHER_COLLECTIONS, SERVING_RUNNERS, taskProjection } from '#contexts';
import { ContextsModule } from '#contexts/module';
import { CreatorsOptions, ErasureHashes } from '#creators';
import { REQUEST_LOG_COLLECTIONS, SessionKeys } from '#dashboard';
import { DeindexingOptions } from '#deindexing';
import { ImpersonationSynchronization, ImpersonationsOptions } from '#impersonations';
import { JobsModule } from '#jobs/module';
import { Caches, Clock, CommandRunner, EventLog, LanePositions, Logger, provided, SECOND } from '#kernel';
import { PlatformModule } from '#native-platform/module';
import { Metrics } from '#observability';
import { KEY_CACHE_TTL, KeyRing } from '#personal-data';
import { ErasureFollower } from '#privacy';
import { readModelCollections } from '#projections';
import { ProjectionsModule } from '#projections/module';
import { ScansOptions } from '#scans';
import { type KeyNeed, MasterKeys, Stores } from '#stores';
import { StoresModule } from '#stores/module';
import { LastSeals, Sealing } from '#tamper-evidence';
import { UsageOptions } from '#usage';
import { WebhookSenderModule } from '#webhook-sender/module';
import { SecretCipher, WebhooksOptions } from '#webhooks';
import { DocumentsCheck } from './documents-check.js';
import { ServiceGauges } from './service-gauges.js';
import { ACTIVITY_CURSOR_KEYS, CONFIG, LOGIN_COOKIE_KEYS } from './tokens.js';

export interface ServiceOptions {
  readonly config: Config;
  readonly openStores: () => Promise<Stores>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** A process that only reads neither refuses documents of another log nor rebuilds them. Default: `serve`. */
  readonly need?: KeyNeed;
}

/** Provides what every app needs: the configuration, the stores, the systems around the service, and all contexts. */
@Module({})
export class ServiceModule {
  /** Call it once for each application, because Nest would create everything a second time. */
  static forRoot(options: ServiceOptions): DynamicModule {
    const { config, openStores, logger, metrics, need = 'serve' } = options;
    const open = async (): Promise<Stores> => {
      const stores = await openStores();
      const { documents } = stores;
      try {
        await documents.ensure([
          ...(await readModelCollections(documents, ALL_PROJECTIONS)),
          ...OTHER_COLLECTIONS,
          ...REQUEST_LOG_COLLECTIONS,
        ]);
      } catch (error) {
        // Without a container nothing else closes the stores, and open stores keep the process running.
        await stores.close();
        throw error;
      }
      return { ...stores, log: metrics.counting(stores.log), storedEvents: metrics.counting(stores.storedEvents) };
    };
    const platform = PlatformModule.forRoot({
      ...(config.platform && { platform: config.platform }),
      ...(config.engine && { engine: config.engine }),
      ...(config.search && { search: config.search }),
      timeout: config.providerTimeout,
      ...(config.largeBytesPerSecond !== undefined && { largeBytesPerSecond: config.largeBytesPerSecond }),
      caches: config.caches,
      onCall: metrics.call,
      onRefused: (report) => {
        metrics.refused(report);
        logger.warn(report, 'left out records that break a limit or the contract; they count as present');
      },
    });
    const providers = [...valuesOf(options), ...PRIVATE_KEYS, ...ACROSS_CONTEXTS, ServiceGauges];
    const atStart = need === 'read' ? [] : [DocumentsCheck];
    return {
      module: ServiceModule,
      global: true,
      imports: [
        // The processes and the CLI send commands too, not only the api.
        CqrsModule.forRoot(),
        StoresModule.forRoot(open),
        platform,
        WebhookSenderModule.forRoot(config.webhookTargets),
        ProjectionsModule.forRoot(ALL_PROJECTIONS),
        JobsModule.forRoot({
          tasks: taskProjection,
          logRunners: SERVING_RUNNERS,
          laneOf,
          onDeadLetter: metrics.recordDeadLetter,
          onCheckpointRefused: metrics.checkpointRefused,
        }),
        ContextsModule,
      ],
      providers: [...providers, ...atStart],
      exports: [...providers.map((provider) => ('provide' in provider ? provider.provide : provider)), ContextsModule],
    };
  }
}

const given = <T>(provide: InjectionToken<T>, useValue: NoInfer<T>) => ({ provide, useValue });

/** Values that exist before the container, and for each context the part of the configuration that it declares. */
const valuesOf = ({ config, clock, logger, metrics }: ServiceOptions) => {
  const { creatorSyncEvery, caseSyncEvery, faviconTemplate, pricing, providerTimeout, verificationCache } = config;
  return [
    given(CONFIG, config),
    given(Clock, clock),
    given(Logger, logger),
    given(Metrics, metrics),
    given(Caches, config.caches),
    given(AgenciesOptions, { verificationCache }),
    given(CreatorsOptions, { providerTimeout, syncEvery: creatorSyncEvery, onUnknownSlots: metrics.unknownSlots }),
    given(CasesOptions, { walkEvery: caseSyncEvery, faviconTemplate }),
    given(ImpersonationsOptions, { providerTimeout, walkEvery: caseSyncEvery }),
    given(ScansOptions, { scheduleEvery: config.scanScheduleEvery, pollEvery: config.scanPollEvery, providerTimeout }),
    given(DeindexingOptions, { pollEvery: creatorSyncEvery, providerTimeout }),
    given(UsageOptions, { pricing }),
    given(WebhooksOptions, { backoff: config.webhookBackoff }),
  ];
};

const derivedKeys = (provide: symbol | typeof SessionKeys, purpose: string) => ({
  provide,
  useFactory: (masterKeys: MasterKeys) => masterKeys.derived(purpose),
  inject: [MasterKeys],
});

/** Services with keys that are derived from the master key; nothing else sees these keys. */
const PRIVATE_KEYS = [
  provided(ErasureHashes, [Stores], ({ hashKey }) => new ErasureHashes(hashKey)),
  provided(
    SecretCipher,
    [Stores, Caches],
    ({ masterKeys, refreshKeys }, caches) =>
      new SecretCipher(masterKeys.derived('webhook secrets'), refreshKeys, caches),
  ),
  provided(
    LastSeals,
    [Stores],
    ({ storedEvents, sealMemory, masterKeys }) => new LastSeals(storedEvents, sealMemory, masterKeys.sealKeys),
  ),
  {
    provide: Sealing,
    inject: [Stores, Caches, LastSeals, CONFIG],
    useFactory: ({ storedEvents, masterKeys }: Stores, caches: Caches, lastSeals: LastSeals, { logOrigin }: Config) =>
      new Sealing(storedEvents, masterKeys.sealKeys, undefined, caches, lastSeals, logOrigin),
  },
  derivedKeys(ACTIVITY_CURSOR_KEYS, 'activity cursors'),
  derivedKeys(LOGIN_COOKIE_KEYS, 'dashboard logins'),
  derivedKeys(SessionKeys, 'dashboard sessions'),
] satisfies Provider[];

/** Connects contexts that may not import each other, and clears caches after an erasure. */
const ACROSS_CONTEXTS = [
  { provide: ImpersonationWalk, useExisting: ImpersonationSynchronization },
  provided(
    ErasureFollower,
    [EventLog, KeyRing, CommandRunner, LanePositions, Logger],
    (log, keys, runner, progress, logger) => {
      const erasures = new ErasureFollower(log, KEY_CACHE_TTL + SECOND, logger);
      erasures.onErasure((creatorId) => {
        keys.forget(creatorId);
        runner.forget();
      });
      erasures.onReached = (position) => progress.tailPassed(position);
      return erasures;
    },
  ),
] satisfies Provider[];
