import { readConfig } from '#configuration';
import { BackupRefused } from '#relocation';
import { dataFolder, folderOfAllStores } from '#stores';

export { dataFolder };

/** The data directory of an installation whose stores are files. */
export const configuredFolder = (environment: NodeJS.ProcessEnv): string => {
  const folder = folderOfAllStores(readConfig(environment));
  if (folder !== undefined) return folder;
  throw new BackupRefused(
    'a backup is of the files in DATA_DIR, and this installation has its stores on servers: back them up with their own ' +
      'tools, the log first and then the keys, as docs/operations.md says under "Backup and restore"',
  );
};
