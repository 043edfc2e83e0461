import { readConfig } from '#configuration';
import { openStorageLocation, type StorageLocation } from '#stores';

/** Where a log and the keys that go with it are copied from and to. */
export interface CopyOptions {
  readonly from: string;
  readonly to: string;
  readonly keysFrom?: string;
  readonly keysTo?: string;
}

/** Runs the task on both places. Neither has to be the configured one. */
export const withCopiedStores = async <Result>(
  environment: NodeJS.ProcessEnv,
  { from, to, keysFrom, keysTo }: CopyOptions,
  task: (source: StorageLocation, target: StorageLocation) => Promise<Result>,
): Promise<Result> => {
  const { allowPlaintext } = readConfig(environment);
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
