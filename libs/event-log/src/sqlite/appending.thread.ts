import { retryWhileBusySync } from '#kernel/ports';
import { commitGroups } from '#threads';
import { connected } from './connection.js';
import { unavailable } from './failures.js';
import { type AppendedMessage, type AppendMessage, type AppendSettings, appendOf } from './wire.js';
import { Writer } from './writer.js';

/** For the ends of the indexes, which are written again and again. */
const CACHE_KIB = 4 * 1024;

commitGroups(({ file, busyFor }: AppendSettings) =>
  connected(file, busyFor, CACHE_KIB, (db) => {
    const writer = new Writer(db);
    return {
      commit(group: readonly AppendMessage[]): (AppendedMessage | Error)[] {
        const appends = group.map(appendOf);
        try {
          const verdicts = retryWhileBusySync(() => writer.write(appends), busyFor);
          return verdicts.map((verdict) => (verdict instanceof Error ? verdict : [verdict.revision, verdict.position]));
        } catch (error) {
          throw unavailable(error, file);
        }
      },
      close: () => db.close(),
    };
  }),
);
