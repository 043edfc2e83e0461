import type { DocumentStore } from '#kernel';
import { openSqliteDocumentStore } from '../open.js';
import { ARRIVALS, CONTEST, type Outcome, PRIZES, type Prize, TALLY, type Tally } from './contest.js';

/** Run as `concurrent-writer <file> <name> <how many there are>`; prints its `Outcome`. */
const [file = '', name = '', writers = ''] = process.argv.slice(2);
const NEVER = Number.MAX_SAFE_INTEGER;

/** Resolves when all have reached this point, so that they continue at the same time. */
const waitForAll = async (store: DocumentStore, point: string): Promise<void> => {
  await store.write([{ collection: ARRIVALS.name, put: [{ id: `${point} ${name}` }] }]);
  const arrived = { index: 'by_id', gt: `${point} `, lt: `${point}!`, limit: Number(writers) };
  while ((await store.find(ARRIVALS.name, arrived)).length < arrived.limit) await new Promise(setImmediate);
};

const count = async (store: DocumentStore): Promise<number[]> => {
  const counted: number[] = [];
  while (counted.length < CONTEST.counts) {
    const four = [1, 2, 3, 4].map(() => store.increment('shared', 1, NEVER));
    counted.push(...(await Promise.all(four)));
  }
  return counted;
};

/** Reads and writes in two steps. The sum is correct only because the lease excludes the other processes. */
const takeTurns = async (store: DocumentStore): Promise<number[]> => {
  const fences: number[] = [];
  while (fences.length < CONTEST.turns) {
    const lease = await store.acquireLease('turn', name, 0, 1);
    if (lease === undefined) {
      await new Promise(setImmediate);
      continue;
    }
    const sum = (await store.get<Tally>(TALLY.name, 'tally'))?.sum ?? 0;
    await new Promise(setImmediate);
    const tally: Tally = { id: 'tally', sum: sum + 1 };
    await store.write([{ collection: TALLY.name, put: [tally] }]);
    await store.releaseLease('turn', name);
    fences.push(lease.fence);
  }
  return fences;
};

const winPrizes = async (store: DocumentStore): Promise<string[]> => {
  const won: string[] = [];
  for (let number = 0; number < CONTEST.prizes; number++) {
    const prize: Prize = { id: `prize ${number}`, winner: name };
    if (await store.compareAndSet(PRIZES.name, prize, null)) won.push(prize.id);
    await new Promise(setImmediate);
  }
  return won;
};

/** Makes, opens and closes files that the others make, open and close too. */
const openFiles = async (store: DocumentStore): Promise<number[]> => {
  const counted: number[] = [];
  for (let number = 0; number < CONTEST.files; number++) {
    await waitForAll(store, `file ${number}`);
    const opened = openSqliteDocumentStore({ file: `${file}-${number}` });
    await opened.ensure([TALLY, PRIZES]);
    counted.push(await opened.increment('opened', 1, NEVER));
    await opened.close();
  }
  return counted;
};

const store = openSqliteDocumentStore({ file });
await store.ensure([TALLY, PRIZES, ARRIVALS]);
await waitForAll(store, 'start');
const [counted, fences, prizes] = await Promise.all([count(store), takeTurns(store), winPrizes(store)]);
const opened = await openFiles(store);
await store.close();
const outcome: Outcome = { counted, fences, prizes, opened };
process.stdout.write(JSON.stringify(outcome));
