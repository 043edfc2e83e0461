import type { Command } from 'commander';
import { readConfig } from '#configuration';
import type { StoredLog } from '#kernel';
import { openStoredLog, rememberedSeal } from '#stores';
import type { RememberedSeal } from '#tamper-evidence';
import { publicKeyFor, type VerifyingKeys } from './seal-keys.js';
import { secretLocation } from './secret-location.js';

export interface StoredLogOptions {
  readonly publicKey?: string;
  readonly log?: string;
}

export const storedLogOptions = (command: Command): Command =>
  command
    .option('--public-key <file or key>', "the key of the seals; default: this installation's own")
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
