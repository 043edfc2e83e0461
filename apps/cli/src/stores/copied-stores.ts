import { readConfig } from '#configuration';
import { invalidRequest } from '#kernel';
import { isSameLog, openStorageLocation, type StorageLocation } from '#stores';

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
  { from, to, keysFrom, keysTo }: CopyOptions,
  task: (source: StorageLocation, target: StorageLocation) => Promise<Result>,
): Promise<Result> => {
  const { allowPlaintext } = readConfig(environment);
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
