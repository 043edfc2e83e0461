import { utimesSync } from 'node:fs';
import { retryWhileBusySync } from '#kernel/ports';
import { commitGroups } from '#threads';
import { connected, unavailable } from './connection.js';
import { type AppendedMessage, type AppendMessage, type AppendSettings, appendOf, Writer } from './writer.js';

/** For the ends of the indexes, which are written again and again. */
const CACHE_KIB = 4 * 1024;

/** Followers in other processes watch the file. A touch that fails delays them until their next poll. */
const touch = (file: string): void => {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // The commit stands.
  }
};

commitGroups(({ file, busyFor }: AppendSettings) =>
  connected(file, busyFor, CACHE_KIB, (db) => {
    const writer = new Writer(db);
    return {
      commit(group: readonly AppendMessage[]): (AppendedMessage | Error)[] {
        const appends = group.map(appendOf);
        try {
          const verdicts = retryWhileBusySync(() => writer.write(appends), busyFor);
          touch(file);
          return verdicts.map((verdict) => (verdict instanceof Error ? verdict : [verdict.revision, verdict.position]));
        } catch (error) {
          throw unavailable(error, file);
        }
      },
      close: () => db.close(),
    };
  }),
);
