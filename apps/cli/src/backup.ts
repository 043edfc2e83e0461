import type { Command } from 'commander';
import { LANE_NAMES } from '#contexts';
import { DASHBOARD_SESSIONS } from '#dashboard';
import { invalidRequest, systemClock } from '#kernel';
import { type CheckedBackup, checkBackup, restoreBackup, takeBackup } from '#relocation';
import { asPath } from './arguments.js';
import { operatorContext } from './operator.js';
import { FailedCheck, Text } from './print.js';
import { withProgressBar } from './progress-bar.js';
import type { Register } from './register.js';
import { backupStores, configuredFolder } from './stores/opened-stores.js';

export const addCommands = (backup: Command, register: Register): void => {
  register.apart(
    backup
      .option('--to <folder>', 'a new or empty folder')
      .option('--with-master-key', 'copy master.key too: then the folder alone reveals all personal data'),
    async (environment, { to, withMasterKey }: { readonly to?: string; readonly withMasterKey?: true }) => {
      if (to === undefined) throw invalidRequest({ field: '--to', message: 'is required, with a new or empty folder' });
      const from = configuredFolder(environment);
      const folder = folderIn('--to', to);
      const { files, bytes } = await withProgressBar((onProgress) =>
        takeBackup(from, folder, { withMasterKey, onProgress: (share) => onProgress({ share }) }),
      );
      const next = `check it with: npm run -s cli -- backup check ${folder}`;
      return new Text(`${folder}: ${files.join(', ')} (${bytes} bytes); ${next}\n`, { folder, files, bytes });
    },
  );
  register.apart(
    backup.command('check <folder>').description('check that the files of a backup are whole and belong together'),
    async (environment, _options, folder) =>
      checked(await checkBackup(folderIn('folder', folder), backupStores(environment), LANE_NAMES)),
  );
  register.apart(
    backup
      .command('restore')
      .description(
        'replace the files in DATA_DIR with those of a backup; keeps the replaced files, and erasures stay in force',
      )
      .requiredOption('--from <folder>', 'a backup')
      .option(
        '--accept-unknown',
        'restore although nothing shows what was erased or revoked since; records who accepts that',
      ),
    async (environment, { from, acceptUnknown }: { readonly from: string; readonly acceptUnknown?: true }) => {
      const backup = await restoreBackup(folderIn('--from', from), configuredFolder(environment), {
        ...backupStores(environment),
        runners: LANE_NAMES,
        clock: systemClock,
        sessions: [DASHBOARD_SESSIONS.name],
        acceptedBy: acceptUnknown ? operatorContext().actor : undefined,
      });
      return restored(backup);
    },
  );
};

/** A URL would become a folder of that name, and be printed with the password that it may contain (D95). */
const folderIn = (field: string, location: string): string => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return asPath(location);
  throw invalidRequest({ field, message: 'must be a folder: stores on servers are backed up with their own tools' });
};

const checked = ({ events, personalKeys, destroyedPersonalKeys, ...found }: CheckedBackup): Text => {
  const faults = [...found.faults, ...found.sealFaults];
  const json = { events, personal_keys: personalKeys, destroyed_personal_keys: destroyedPersonalKeys, faults };
  if (faults.length > 0) return new FailedCheck(faults.map((fault) => `${fault}\n`).join(''), json);
  const counts = `${events} events, ${personalKeys} personal keys, of which ${destroyedPersonalKeys} are destroyed`;
  return new Text(`the files belong together: ${counts}\n`, json);
};

const restored = (backup: Awaited<ReturnType<typeof restoreBackup>>): Text => {
  const { events, replaced, lostEvents, lostSeals, lostFeeds, unread, isNew, endedSessions } = backup;
  const { erasedSince, erasedUnknown, revokedKeys, disabledEndpoints, replacedSecrets } = backup;
  const json = {
    events,
    lost_events: lostEvents,
    lost_seals: lostSeals,
    lost_feeds: lostFeeds,
    erased_since: erasedSince,
    erased_unknown: erasedUnknown,
    revoked_keys: revokedKeys,
    disabled_endpoints: disabledEndpoints,
    replaced_secrets: replacedSecrets,
    ended_sessions: endedSessions,
    unread,
    nothing_known: isNew,
    replaced: replaced ?? null,
  };
  const sentences = [
    `${events} events are restored.`,
    replaced !== undefined && `The replaced files are in ${replaced}; delete them when you no longer need them.`,
    isNew &&
      'There was no store here, so nothing shows what was erased or revoked since the backup: repeat those erasures and revocations.',
    ...unread.map(
      (what) =>
        `${what}. Anything that only it recorded since the backup is lost: erasures, revoked keys, disabled endpoints, replaced secrets.`,
    ),
    lostEvents === null
      ? 'How many events are lost is unknown: there was no log, or it does not continue the restored one.'
      : `${lostEvents} later events are lost. Feeds of agencies that had some of them: ${lostFeeds.length}.`,
    'An agency whose `after` is unknown (400) reads its feed from the beginning, or from an event that it knows.',
    lostSeals > 0 &&
      `${lostSeals} seals are lost. After you start the service, accept the loss with: npm run -s cli -- events seal --accept-loss`,
    ...erasedSince.map((id) => `${id} was erased since the backup and is now erased again: its key stays destroyed.`),
    ...erasedUnknown.map(
      (id) =>
        `${id} was enrolled and erased since the backup. The person may return as a new creator: erase that one too.`,
    ),
    ...revokedKeys.map((id) => `${id} was revoked since the backup and stays revoked.`),
    ...disabledEndpoints.map((id) => `${id} was disabled since the backup and stays disabled.`),
    ...replacedSecrets.map((id) => `${id} got a new secret since the backup, which stays in force.`),
    endedSessions > 0 && `Dashboard sessions that ended: ${endedSessions}. People sign in again.`,
  ];
  return new Text(`${sentences.filter(Boolean).join('\n')}\n`, json);
};
