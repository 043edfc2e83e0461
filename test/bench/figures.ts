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

export const mebibytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
