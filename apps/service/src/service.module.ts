import { type DynamicModule, Module, type Provider } from '@nestjs/common';
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
import { Caches, Clock, CommandRunner, EventLog, LanePositions, Logger, SECOND } from '#kernel';
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
  /** A process that only reads neither refuses documents of another log nor begins them again. Default: `serve`. */
  readonly need?: KeyNeed;
}

/** What every app needs: the configuration, the stores, the systems around the service, and all contexts. */
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
        logger.warn(report, 'left out records that break a bound or the contract; they count as present');
      },
    });
    const providers = [...GIVEN, ...FROM_CONFIG, ...PRIVATE_KEYS, ...ACROSS_CONTEXTS, ServiceGauges];
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
      providers: [{ provide: SERVICE_OPTIONS, useValue: options }, ...providers, ...atStart],
      exports: [...providers.map((provider) => ('provide' in provider ? provider.provide : provider)), ContextsModule],
    };
  }
}

/** The options of this module, from which its own providers are made. */
const SERVICE_OPTIONS = Symbol('service options');

/** What exists before the container. */
const GIVEN = [
  { provide: CONFIG, useFactory: ({ config }: ServiceOptions) => config, inject: [SERVICE_OPTIONS] },
  { provide: Clock, useFactory: ({ clock }: ServiceOptions) => clock, inject: [SERVICE_OPTIONS] },
  { provide: Logger, useFactory: ({ logger }: ServiceOptions) => logger, inject: [SERVICE_OPTIONS] },
  { provide: Metrics, useFactory: ({ metrics }: ServiceOptions) => metrics, inject: [SERVICE_OPTIONS] },
] satisfies Provider[];

const fromConfig = <T>(provide: abstract new () => T, useFactory: (config: Config) => T) => ({
  provide,
  useFactory,
  inject: [CONFIG],
});

/** The caches, and for each context the part of the configuration that it declares. */
const FROM_CONFIG = [
  { provide: Caches, useFactory: ({ caches }: Config) => caches, inject: [CONFIG] },
  fromConfig(AgenciesOptions, ({ verificationCache }) => ({ verificationCache })),
  {
    provide: CreatorsOptions,
    useFactory: ({ config, metrics }: ServiceOptions): CreatorsOptions => ({
      providerTimeout: config.providerTimeout,
      syncEvery: config.creatorSyncEvery,
      onUnknownSlots: metrics.unknownSlots,
    }),
    inject: [SERVICE_OPTIONS],
  },
  fromConfig(CasesOptions, ({ caseSyncEvery, faviconTemplate }) => ({ walkEvery: caseSyncEvery, faviconTemplate })),
  fromConfig(ImpersonationsOptions, ({ providerTimeout, caseSyncEvery }) => ({
    providerTimeout,
    walkEvery: caseSyncEvery,
  })),
  fromConfig(ScansOptions, ({ scanScheduleEvery, scanPollEvery, providerTimeout }) => ({
    scheduleEvery: scanScheduleEvery,
    pollEvery: scanPollEvery,
    providerTimeout,
  })),
  fromConfig(DeindexingOptions, ({ creatorSyncEvery, providerTimeout }) => ({
    pollEvery: creatorSyncEvery,
    providerTimeout,
  })),
  fromConfig(UsageOptions, ({ pricing }) => ({ pricing })),
  fromConfig(WebhooksOptions, ({ webhookBackoff }) => ({ backoff: webhookBackoff })),
] satisfies Provider[];

/** Services with keys that are derived from the master key; nothing else sees these keys. */
const PRIVATE_KEYS = [
  { provide: ErasureHashes, useFactory: ({ hashKey }: Stores) => new ErasureHashes(hashKey), inject: [Stores] },
  {
    provide: SecretCipher,
    useFactory: ({ masterKeys, refreshKeys }: Stores, caches: Caches) =>
      new SecretCipher(masterKeys.derived('webhook secrets'), refreshKeys, caches),
    inject: [Stores, Caches],
  },
  {
    provide: LastSeals,
    useFactory: ({ storedEvents, sealMemory, masterKeys }: Stores) =>
      new LastSeals(storedEvents, sealMemory, masterKeys.sealKeys),
    inject: [Stores],
  },
  {
    provide: Sealing,
    useFactory: ({ storedEvents, masterKeys }: Stores, caches: Caches, lastSeals: LastSeals) =>
      new Sealing(storedEvents, masterKeys.sealKeys, undefined, caches, lastSeals),
    inject: [Stores, Caches, LastSeals],
  },
  {
    provide: ACTIVITY_CURSOR_KEYS,
    useFactory: (masterKeys: MasterKeys) => masterKeys.derived('activity cursors'),
    inject: [MasterKeys],
  },
  {
    provide: LOGIN_COOKIE_KEYS,
    useFactory: (masterKeys: MasterKeys) => masterKeys.derived('dashboard logins'),
    inject: [MasterKeys],
  },
  {
    provide: SessionKeys,
    useFactory: (masterKeys: MasterKeys) => masterKeys.derived('dashboard sessions'),
    inject: [MasterKeys],
  },
] satisfies Provider[];

/** What a context needs from another one that it may not import, and caches that an erasure clears. */
const ACROSS_CONTEXTS = [
  { provide: ImpersonationWalk, useExisting: ImpersonationSynchronization },
  {
    provide: ErasureFollower,
    useFactory: (log: EventLog, keys: KeyRing, runner: CommandRunner, progress: LanePositions, logger: Logger) => {
      const erasures = new ErasureFollower(log, KEY_CACHE_TTL + SECOND, logger);
      erasures.onErasure((creatorId) => {
        keys.forget(creatorId);
        runner.forget();
      });
      erasures.onReached = (position) => progress.tailPassed(position);
      return erasures;
    },
    inject: [EventLog, KeyRing, CommandRunner, LanePositions, Logger],
  },
] satisfies Provider[];
