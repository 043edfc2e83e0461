import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DocumentStore } from '#kernel';
import { openSqliteDocumentStore } from './open.js';
import { CONTEST, type Outcome, PRIZES, type Prize, TALLY, type Tally } from './testing/contest.js';
import { temporaryFiles } from './testing/temporary-files.js';

const NAMES = ['one', 'two', 'three'];

const pathOf = (name: string): string => new URL(`./testing/${name}`, import.meta.url).pathname;

const concurrentWriter = async (file: string, name: string): Promise<Outcome> => {
  const flags = ['--disable-warning=ExperimentalWarning', '--experimental-transform-types'];
  const script = [
    '--import',
    pathOf('../../../../threads/src/run-typescript.mjs'),
    pathOf('concurrent-writer.ts'),
    file,
    name,
    String(NAMES.length),
  ];
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...script], { env });
  return JSON.parse(stdout) as Outcome;
};

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);
const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

describe('several processes that work on one file of documents concurrently', () => {
  const file = temporaryFiles();
  let outcomes: Outcome[] = [];
  let store: DocumentStore;

  beforeAll(async () => {
    const shared = file();
    outcomes = await Promise.all(NAMES.map((name) => concurrentWriter(shared, name)));
    store = openSqliteDocumentStore({ file: shared });
  });
  afterAll(() => store.close());

  it('count exactly, each count once', () => {
    const counted = outcomes.flatMap((outcome) => outcome.counted);
    expect(ascending(counted)).toEqual(upTo(NAMES.length * CONTEST.counts));
  });

  it('take turns under a lease, each with another fence', async () => {
    const fences = outcomes.flatMap((outcome) => outcome.fences);
    expect(ascending(fences)).toEqual(upTo(NAMES.length * CONTEST.turns));
    for (const outcome of outcomes) expect(outcome.fences).toEqual(ascending(outcome.fences));
    expect(await store.get<Tally>(TALLY.name, 'tally')).toEqual({ id: 'tally', sum: NAMES.length * CONTEST.turns });
  });

  it('make, open and close new files at the same time', () => {
    for (let file = 0; file < CONTEST.files; file++) {
      expect(ascending(outcomes.map(({ opened }) => opened[file] ?? 0))).toEqual(upTo(NAMES.length));
    }
  });

  it('win each compare-and-set once', async () => {
    const won = outcomes.flatMap((outcome) => outcome.prizes);
    expect(won.toSorted()).toEqual(
      upTo(CONTEST.prizes)
        .map((number) => `prize ${number - 1}`)
        .toSorted(),
    );
    for (const [n, winner] of NAMES.entries()) {
      const prizes = await store.find<Prize>(PRIZES.name, { index: 'by_winner', equals: [winner], limit: 1_000 });
      expect(prizes.map(({ id }) => id)).toEqual(outcomes[n]?.prizes.toSorted());
    }
  });
});
