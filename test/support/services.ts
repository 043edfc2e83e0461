import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AgencyAccess, KeyUses } from '#agencies';
import type { Config } from '#configuration';
import { CreatorAccess, CreatorsOptions, Memberships } from '#creators';
import { ImpersonationsOptions } from '#impersonations';
import { CommandTasks, DeadLetters, Leases } from '#jobs';
import {
  Clock,
  ClockWatch,
  CommandRunner,
  DocumentStore,
  type Duration,
  EventLog,
  LanePositions,
  LiveCollections,
  Logger,
} from '#kernel';
import { NativePlatform } from '#native-platform';
import { Metrics } from '#observability';
import { KeyRing, Sentinel } from '#personal-data';
import { DeadLetterList, Rebuild } from '#projections';
import { MasterKeys } from '#stores';
import { Sealing } from '#tamper-evidence';
import { CONFIG } from '../../apps/service/src/tokens.js';

const PARTS = {
  commands: CommandBus,
  queries: QueryBus,
  metrics: Metrics,
  clock: Clock,
  clockWatch: ClockWatch,
  logger: Logger,
  log: EventLog,
  documents: DocumentStore,
  live: LiveCollections,
  personalKeys: KeyRing,
  masterKeys: MasterKeys,
  sentinel: Sentinel,
  sealing: Sealing,
  runner: CommandRunner,
  leases: Leases,
  progress: LanePositions,
  deadLetters: DeadLetters,
  deadLetterList: DeadLetterList,
  commandTasks: CommandTasks,
  rebuild: Rebuild,
  native: NativePlatform,
  access: AgencyAccess,
  keyUses: KeyUses,
  creators: CreatorAccess,
  creatorsOptions: CreatorsOptions,
  impersonationsOptions: ImpersonationsOptions,
  memberships: Memberships,
} as const;

type Parts = { readonly [Name in keyof typeof PARTS]: InstanceType<(typeof PARTS)[Name]> };

export interface Services extends Parts {
  readonly app: INestApplicationContext;
  readonly config: Config;
  /** Whether the runners pass the log's present end within `timeout` milliseconds. */
  caughtUp(runners: readonly string[], timeout: Duration): Promise<boolean>;
}

/** Returns the parts of the container that tests use, by name. */
export const servicesOf = (app: INestApplicationContext): Services => {
  const get = (token: (typeof PARTS)[keyof typeof PARTS]) => app.get<unknown>(token as never, { strict: false });
  const parts = Object.fromEntries(
    Object.entries(PARTS).map(([name, token]) => [name, get(token)]),
  ) as unknown as Parts;
  return {
    ...parts,
    app,
    config: app.get<Config>(CONFIG),
    caughtUp: async (runners, timeout) => parts.progress.waitForPosition(runners, await parts.log.head(), timeout),
  };
};
