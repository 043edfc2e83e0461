import { codeOf, retryWhileBusySync } from '#kernel/ports';
import { answerRequests } from '#threads';
import type { AppendThreadSettings } from './append-thread.js';
import { connected } from './connection.js';
import { unavailable } from './failures.js';
import { type AppendMessage, appendOf, type GroupMessage, verdictMessage } from './wire.js';
import { Writer } from './writer.js';

/** For the ends of the indexes, which are written again and again. */
const CACHE_KIB = 4 * 1024;

answerRequests(({ file, busyFor }: AppendThreadSettings) =>
  connected(file, busyFor, CACHE_KIB, (db) => {
    const writer = new Writer(db);
    return {
      answer(group: readonly AppendMessage[]): GroupMessage {
        const appends = group.map(appendOf);
        try {
          const { end, verdicts } = retryWhileBusySync(() => writer.write(appends), busyFor);
          return { end, verdicts: verdicts.map(verdictMessage) };
        } catch (error) {
          const { message, cause } = unavailable(error, file);
          return { failure: message, code: codeOf(cause) };
        }
      },
      close: () => db.close(),
    };
  }),
);
