import { readFileSync } from 'node:fs';

const SAMPLE_EVERY = 250;

/** Resident memory of a process as it is over the run. */
export class MemoryWatch {
  private readonly samples: number[] = [];
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly pid: number) {
    this.timer = setInterval(() => this.samples.push(this.resident()), SAMPLE_EVERY);
  }

  stop(): MemoryReport {
    clearInterval(this.timer);
    const third = Math.floor(this.samples.length / 3);
    const [second, last] = [this.samples.slice(third, 2 * third), this.samples.slice(2 * third)];
    return { max: mebibytes(maxOf(this.samples)), growth: maxOf(last) / maxOf(second) };
  }

  private resident(): number {
    const [, kibibytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1_024;
  }
}

export interface MemoryReport {
  /** In MiB. */
  readonly max: number;
  /** The maximum of the last third of the time as a multiple of that of the third before. */
  readonly growth: number;
}

const mebibytes = (bytes: number): number => Math.round(bytes / 1_024 / 1_024);
const maxOf = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0);
