import type { DocumentStore } from '#kernel';
import { openSqliteDocumentStore } from '../open.js';
import { CONTEST, type Outcome, PRIZES, type Prize, TALLY, type Tally } from './contest.js';

/** Run as `contestant <file> <name>`; prints its `Outcome`. */
const [file = '', name = ''] = process.argv.slice(2);

const count = async (store: DocumentStore): Promise<number[]> => {
  const counted: number[] = [];
  while (counted.length < CONTEST.counts) {
    const together = [1, 2, 3, 4].map(() => store.increment('shared', 1, Number.MAX_SAFE_INTEGER));
    counted.push(...(await Promise.all(together)));
  }
  return counted;
};

/** Reads and writes in two steps, which goes well only because the lease keeps the others away. */
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

const store = openSqliteDocumentStore({ file });
await store.ensure([TALLY, PRIZES]);
const [counted, fences, prizes] = await Promise.all([count(store), takeTurns(store), winPrizes(store)]);
await store.close();
const outcome: Outcome = { counted, fences, prizes };
process.stdout.write(JSON.stringify(outcome));
