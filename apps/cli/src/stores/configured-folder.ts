import { readConfig } from '#configuration';
import { STORED_EVENTS } from '#contexts';
import { BackupRefused, type RestoreOptions } from '#relocation';
import { dataFolder, folderOfAllStores, openStores } from '#stores';

export { dataFolder };

/** The stores in a folder, opened with the configured keys. */
export const storesIn =
  (environment: NodeJS.ProcessEnv): RestoreOptions['withStores'] =>
  async (folder, task) => {
    const stores = await openStores({ ...readConfig(environment), dataDir: folder }, STORED_EVENTS);
    try {
      return await task(stores);
    } finally {
      await stores.close();
    }
  };

/** The data directory of an installation whose stores are files. */
export const configuredFolder = (environment: NodeJS.ProcessEnv): string => {
  const folder = folderOfAllStores(readConfig(environment));
  if (folder !== undefined) return folder;
  throw new BackupRefused(
    'a backup is of the files in DATA_DIR, and this installation has its stores on servers: back them up with their own ' +
      'tools, the log first and then the keys, as docs/operations.md says under "Backup and restore"',
  );
};
