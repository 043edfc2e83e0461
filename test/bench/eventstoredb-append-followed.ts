import { join } from 'node:path';
import { openEventStoreDbEventLog } from '#event-log';
import type { LogFilter } from '#kernel';
import { startEventStoreDbServer } from '../support/eventstoredb-server.js';
import { type Append, appendAll, WRITERS } from './event-log-events.js';
import { middleRound } from './figures.js';

const FOLLOWERS = 12;
const ROUNDS = 9;

/** A process has some ten followers, most of which take only some types. */
const filterOf = (n: number): LogFilter => (n % 4 === 0 ? {} : { types: new Set([`none-${n}.v1`]) });

/** Events a second of many writers while twelve followers of the same process read them, against none. */
export default {
  name: `EventStoreDB: ${WRITERS} writers appending with ${FOLLOWERS} followers, against none`,
  wanted: 0.7,
  async run(dir: string) {
    const server = await startEventStoreDbServer(join(dir, 'eventstoredb'));
    const log = await openEventStoreDbEventLog({ url: server.url });
    const append: Append = async (stream, expected, event) => (await log.append(stream, expected, [event])).revision;
    const measured = async (round: string, followers: number) => {
      const over = new AbortController();
      const after = await log.head();
      const following = Array.from({ length: followers }, async (_, n) => {
        for await (const _page of log.follow({ after, ...filterOf(n), signal: over.signal }));
      });
      const rate = await appendAll(append, `${round}-${followers}`);
      over.abort();
      await Promise.all(following);
      return rate;
    };
    const values: number[] = [];
    const floors: number[] = [];
    for (const followers of [0, FOLLOWERS]) await measured('warm', followers);
    for (let round = 0; round < ROUNDS; round++) {
      floors.push(await measured(String(round), 0));
      values.push(await measured(String(round), FOLLOWERS));
    }
    await log.close();
    await server.stop();
    return { ...middleRound(values, floors), unit: 'events/s' };
  },
};
