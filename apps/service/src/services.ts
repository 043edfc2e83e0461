import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AgencyAccess, KeyUses } from '#agencies';
import { CaseList } from '#cases';
import type { Config } from '#configuration';
import { CreatorAccess, ErasureHashes, Memberships } from '#creators';
import { DueWork, Leases, SetAsides } from '#jobs';
import {
  BackgroundDocumentStore,
  Clock,
  CommandRunner,
  DocumentStore,
  type Duration,
  EventLog,
  LiveCollections,
  Logger,
  Progress,
} from '#kernel';
import { NativePlatform } from '#native-platform';
import { Metrics } from '#observability';
import { KeyRing, Sentinel } from '#personal-data';
import { ReadModelComparison, Rebuild, SetAsideList } from '#projections';
import { MasterKeys } from '#stores';
import { Sealing } from '#tamper-evidence';
import { SecretCipher } from '#webhooks';
import { CONFIG } from './tokens.js';

const PARTS = {
  commands: CommandBus,
  queries: QueryBus,
  metrics: Metrics,
  clock: Clock,
  logger: Logger,
  log: EventLog,
  documents: DocumentStore,
  backgroundDocuments: BackgroundDocumentStore,
  live: LiveCollections,
  personalKeys: KeyRing,
  masterKeys: MasterKeys,
  sentinel: Sentinel,
  sealing: Sealing,
  erasureHashes: ErasureHashes,
  runner: CommandRunner,
  leases: Leases,
  progress: Progress,
  setAsides: SetAsides,
  setAsideList: SetAsideList,
  dueWork: DueWork,
  rebuild: Rebuild,
  comparison: ReadModelComparison,
  native: NativePlatform,
  access: AgencyAccess,
  keyUses: KeyUses,
  creators: CreatorAccess,
  memberships: Memberships,
  caseList: CaseList,
  secretCipher: SecretCipher,
} as const;

type Parts = { readonly [Name in keyof typeof PARTS]: InstanceType<(typeof PARTS)[Name]> };

export interface Services extends Parts {
  readonly app: INestApplicationContext;
  readonly config: Config;
  /** Whether the runners pass the log's present end within `timeout` milliseconds. */
  caughtUp(runners: readonly string[], timeout: Duration): Promise<boolean>;
}

/** What tools and tests take from the container, by name. */
export const servicesOf = (app: INestApplicationContext): Services => {
  const get = (token: (typeof PARTS)[keyof typeof PARTS]) => app.get<unknown>(token as never, { strict: false });
  const parts = Object.fromEntries(
    Object.entries(PARTS).map(([name, token]) => [name, get(token)]),
  ) as unknown as Parts;
  return {
    ...parts,
    app,
    config: app.get<Config>(CONFIG),
    caughtUp: async (runners, timeout) => parts.progress.passed(runners, await parts.log.head(), timeout),
  };
};
