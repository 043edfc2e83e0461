import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { invalidRequest, type StoredLog } from '#kernel';
import { BackupRefused, type RestoreOptions } from '#relocation';
import {
  configuredSealKey,
  configuredSealKeys,
  dataFolder,
  folderOfAllStores,
  isSameLog,
  openStorageLocation,
  openStoredLog,
  openStores,
  rememberedSeal,
  type StorageLocation,
} from '#stores';
import { type RememberedSeal, SealPublicKey } from '#tamper-evidence';
import { asPath } from '../arguments.js';
import { readTextFile } from '../files.js';
import { secretLocation } from './secret-location.js';

type BackupStores = typeof dataFolder & Pick<RestoreOptions, 'withStores'>;

/** The stores of a folder, such as a backup. */
export const backupStores = (environment: NodeJS.ProcessEnv): BackupStores => ({
  ...dataFolder,
  async withStores(folder, task) {
    const stores = await openStores({ ...readConfig(environment), dataDir: folder }, STORED_EVENTS);
    try {
      return await task(stores);
    } finally {
      await stores.close();
    }
  },
});

/** The data directory of an installation whose stores are files. */
export const configuredFolder = (environment: NodeJS.ProcessEnv): string => {
  const folder = folderOfAllStores(readConfig(environment));
  if (folder !== undefined) return folder;
  throw new BackupRefused(
    'a backup copies the files in DATA_DIR, but this installation has its stores on servers: back them up with their own ' +
      'tools, the log first and then the keys, as docs/operations.md says under "Backup and restore"',
  );
};

/** Source and target of a copy: a log and the keys that belong to it. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly keysFrom?: string;
  readonly keysTo?: string;
}

export const withCopiedStores = async <Result>(
  environment: NodeJS.ProcessEnv,
  options: CopyOptions,
  task: (source: StorageLocation, target: StorageLocation) => Promise<Result>,
): Promise<Result> => {
  const { allowPlaintext } = readConfig(environment);
  const from = secretLocation('from', options.from, environment);
  const to = secretLocation('to', options.to, environment);
  const keysFrom = options.keysFrom && secretLocation('keys-from', options.keysFrom, environment);
  const keysTo = options.keysTo && secretLocation('keys-to', options.keysTo, environment);
  if (isSameLog(from, to)) throw invalidRequest({ field: 'to', message: 'is the log that --from names' });
  const source = await openStorageLocation('from', from, keysFrom, allowPlaintext);
  try {
    const target = await openStorageLocation('to', to, keysTo, allowPlaintext);
    try {
      return await task(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

interface VerifyingKeys {
  readonly key: SealPublicKey;
  /** The keys of this installation, of which there are two during a rotation of its master key (D85). */
  readonly trusted: readonly SealPublicKey[];
}

export const ownPublicKey = (environment: NodeJS.ProcessEnv): SealPublicKey =>
  configuredSealKey(readConfig(environment)).publicKey;

/** The given seal key, as a file or as text; otherwise this installation's own, for its own log. */
export const publicKeyFor = (config: Config, given: string | undefined, log: string | undefined): VerifyingKeys => {
  if (given !== undefined) return { key: asPublicKey(given), trusted: [] };
  if (log !== undefined) throw invalidRequest({ field: '--public-key', message: 'is required with --log' });
  const [own, ...trusted] = configuredSealKeys(config).map(({ publicKey }) => publicKey);
  if (own === undefined) throw new Error('an installation has a key');
  return { key: own, trusted };
};

const asPublicKey = (fileOrKey: string): SealPublicKey => {
  const file = asPath(fileOrKey);
  const key = SealPublicKey.parse(existsSync(file) ? readTextFile(file) : fileOrKey);
  if (key === undefined) {
    throw invalidRequest({ field: '--public-key', message: 'must be an Ed25519 key: base64url or PEM' });
  }
  return key;
};

export interface StoredLogOptions {
  readonly publicKey?: string;
  readonly log?: string;
}

export const storedLogOptions = (command: Command): Command =>
  command
    .option('--public-key <file or key>', "the seal key; default: this installation's own")
    .option('--log <file, folder or URL>', 'a copy of the log, or an EventStoreDB; default: the configured log');

/** Runs the task on the log as its store holds it, which may be a copy without any keys. */
export const withStoredLog = async <Result>(
  environment: NodeJS.ProcessEnv,
  { publicKey, log: given }: StoredLogOptions,
  task: (log: StoredLog, keys: VerifyingKeys, remembered: RememberedSeal | undefined) => Promise<Result>,
): Promise<Result> => {
  const config = readConfig(environment);
  const location = given === undefined ? undefined : secretLocation('log', given, environment);
  const keys = publicKeyFor(config, publicKey, location);
  // First, because a log that is in use gets new seals.
  const remembered = await rememberedSeal(config, location);
  const log = await openStoredLog(config, location);
  try {
    return await task(log, keys, remembered);
  } finally {
    await log.close();
  }
};
