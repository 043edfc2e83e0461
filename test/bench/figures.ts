/** 1 is full size; less for a quick look. */
export const SCALE = Number(process.env.BENCH_SCALE ?? 1);

/** What a bench has to say: what was measured, and what the same machine does at best in the same run. */
export interface Figures {
  readonly value: number;
  readonly floor: number;
  readonly unit: string;
  /** False where something beside the ratio is not as it has to be; the note says what. */
  readonly holds?: boolean;
  readonly note?: string;
}

export interface Bench {
  readonly name: string;
  /** The ratio of value to floor that has to be reached. */
  readonly wanted: number;
  /** Measures in a process and a directory of its own; or says why it can not be measured here. */
  run(dir: string): Promise<Figures | string>;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Each value is measured beside the floor of the same round. */
export interface Round {
  readonly value: number;
  readonly floor: number;
}

/** The round whose ratio is the middle one: a machine that others use too is faster in one minute than in the next. */
export const middleRound = (values: readonly number[], floors: readonly number[]): Round => {
  const rounds = values.map((value, round): Round => ({ value, floor: floors[round] ?? Number.NaN }));
  const byRatio = rounds.toSorted((one, other) => ratioOf(one) - ratioOf(other));
  return byRatio[Math.floor(rounds.length / 2)] ?? { value: Number.NaN, floor: Number.NaN };
};

/** For a note, in the order of the rounds. */
export const ratiosOf = (values: readonly number[], floors: readonly number[]): string =>
  values.map((value, round) => ratioOf({ value, floor: floors[round] ?? Number.NaN }).toFixed(2)).join(' ');

const ratioOf = ({ value, floor }: Round): number => value / floor;

export const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
