import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** 1 is full size; less for a quick look. */
export const SCALE = Number(process.env.BENCH_SCALE ?? 1);

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly scripts: { readonly cli: string };
};

/** Node's options for the tool, in which read models are rebuilt: less garbage waits in memory. */
export const SPARING: readonly string[] = scripts.cli.split(' ').slice(1, -1);

/** The result of a bench: the measured value, and the best that the same machine can do in the same run. */
export interface Figures {
  readonly value: number;
  readonly floor: number;
  readonly unit: string;
  /** False where something other than the ratio is not as it has to be; the note says what. */
  readonly holds?: boolean;
  readonly note?: string;
}

export interface Bench {
  readonly name: string;
  /** The ratio of value to floor that has to be reached. */
  readonly wanted: number;
  /** Measures in its own process and directory; or says why it cannot be measured here. */
  run(dir: string): Promise<Figures | string>;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Each value is measured with the floor of the same round. */
export interface Round {
  readonly value: number;
  readonly floor: number;
}

/**
 * The round whose ratio is the middle one, or the lesser of the two: a machine that others use too is faster in one
 * minute than in the next.
 */
export const middleRound = (values: readonly number[], floors: readonly number[]): Round => {
  const byRatio = roundsOf(values, floors).toSorted((one, other) => ratioOf(one) - ratioOf(other));
  return byRatio[Math.floor((byRatio.length - 1) / 2)] ?? { value: Number.NaN, floor: Number.NaN };
};

/** For a note, in the order of the rounds. */
export const ratiosOf = (values: readonly number[], floors: readonly number[]): string => {
  const ratios = roundsOf(values, floors).map((round) => ratioOf(round).toFixed(2));
  return `ratios of the rounds ${ratios.join(' ')}`;
};

const roundsOf = (values: readonly number[], floors: readonly number[]): Round[] =>
  values.map((value, round) => ({ value, floor: floors[round] ?? Number.NaN }));

const ratioOf = ({ value, floor }: Round): number => value / floor;

export const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
