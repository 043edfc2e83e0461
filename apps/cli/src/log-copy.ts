import type { Command } from 'commander';
import { type CopiedKeys, type CopiedLog, copyStores } from '#relocation';
import { Text } from './print.js';
import { withProgressBar } from './progress-bar.js';
import type { Register } from './register.js';
import { type CopyOptions, withCopiedStores } from './stores/opened-stores.js';

const LOCATION = 'a data directory, a file, or an esdb:// URL';

export const addCommands = (log: Command, register: Register): void =>
  register.apart(
    log
      .command('copy')
      .description('copy the log and the keys of personal data to other stores; run again, it continues or compares')
      .requiredOption('--from <location>', `${LOCATION}; the copy may lack what is written to it during the copy`)
      .requiredOption('--to <location>', `${LOCATION}; empty, or an interrupted copy`)
      .option('--keys-from <location>', 'a data directory, a file, or a mongodb:// URL; default: next to the log')
      .option('--keys-to <location>', 'the same; required with an esdb:// URL'),
    async (environment, options: CopyOptions) => {
      const { keys, log } = await withCopiedStores(environment, options, (source, target) =>
        withProgressBar((onProgress) =>
          // Positions of the source may have gaps, and it may grow during the copy.
          copyStores(source, target, ({ reached, head, events }) =>
            onProgress({ share: reached / Math.max(1, head, reached), events }),
          ),
        ),
      );
      return new Text(inWords(log, keys), asJson(log, keys));
    },
  );

const asJson = (log: CopiedLog, keys: CopiedKeys) => ({
  events: log.events,
  copied: log.events - log.found,
  digest: log.digest,
  personal_keys: keys.keys,
  destroyed_personal_keys: keys.destroyed,
  personal_keys_digest: keys.digest,
});

const inWords = (log: CopiedLog, keys: CopiedKeys): string =>
  [
    `events         ${log.events}, of which ${log.events - log.found} were copied now`,
    `digest         ${log.digest}, read back from the target`,
    `personal keys  ${keys.keys}, of which ${keys.destroyed} are destroyed`,
    `digest         ${keys.digest}, read back from the target`,
    'The stores do not contain the master key: use the same one there. Read models are rebuilt at the first start.',
  ].join('\n');
