import { join } from 'node:path';
import { openSqliteEventLog } from '#event-log';
import { withHashChain } from '#tamper-evidence';
import { appendAll, WRITERS } from './event-log-writers.js';
import { middleRound, ratiosOf } from './figures.js';

const ROUNDS = 31;

/** Events a second of many writers with the hash chain, against the same without; the rounds take turns. */
export default {
  name: `${WRITERS} writers appending durably with the hash chain, against without`,
  wanted: 0.9,
  async run(dir: string) {
    const plain = openSqliteEventLog({ file: join(dir, 'plain.db') });
    const stored = openSqliteEventLog({ file: join(dir, 'chained.db') });
    const chained = withHashChain(stored);
    const values: number[] = [];
    const floors: number[] = [];
    for (const log of [plain, chained]) await appendAll(log, 'warm');
    for (let round = 0; round < ROUNDS; round++) {
      // Who goes first has the colder machine: they take turns in that, too.
      const isChainFirst = round % 2 === 0;
      if (isChainFirst) values.push(await appendAll(chained, String(round)));
      floors.push(await appendAll(plain, String(round)));
      if (!isChainFirst) values.push(await appendAll(chained, String(round)));
    }
    await Promise.all([plain.close(), chained.close()]);
    return {
      ...middleRound(values, floors),
      unit: 'events/s',
      note: ratiosOf(values, floors),
    };
  },
};
