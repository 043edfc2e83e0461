import { readConfig } from '#configuration';
import { invalidRequest } from '#kernel';
import { isSameLog, openStorageLocation, type StorageLocation } from '#stores';
import { secretLocation } from './secret-location.js';

/** Source and target of a copy: a log and the keys that belong to it. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly keysFrom?: string;
  readonly keysTo?: string;
}

/** Runs the task on both. Neither has to be the configured one. */
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
