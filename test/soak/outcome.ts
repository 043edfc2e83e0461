import type { Instant } from '#kernel';
import type { HostileReport } from './hostile/main.js';
import { countOf, percentile } from './latencies.js';
import type { MemoryReport } from './memory.js';
import { memberReads, memberRests } from './pace.js';
import type { Judgement, SevenReport } from './seven/main.js';

export interface Outcome {
  readonly rateLimit: number;
  readonly minutes: number;
  readonly answers: SevenReport;
  readonly attacked: HostileReport;
  readonly judgement: Judgement;
  readonly memory: readonly (MemoryReport & { readonly name: string })[];
}

export interface Line {
  readonly what: string;
  readonly value: string;
  readonly wanted: string;
  /** Null where it is shown and not asked for. */
  readonly holds: boolean | null;
}

export interface Limits {
  readonly p99: number;
  /** The share of the answers to the seven that may be 5xx in CI; none may be elsewhere. */
  readonly failuresInCi: number;
  readonly requests: number;
  readonly creators: number;
}

const MAX_MEMORY = 400;
/** The first synchronization of each creator, in milliseconds. */
const WARM_UP = 10_000;
const MAX_GROWTH = 1.05;
/** Some limits apply only to runs of at least this length. */
const FULL_MINUTES = 30;

/** Reports a run, line by line. CI checks errors, losses and memory only; its run is too short for the rest. */
export const linesOf = (outcome: Outcome, limits: Limits, isCi: boolean): Line[] => {
  const { answers, attacked, judgement, memory, minutes } = outcome;
  const p99 = percentile(answers.durations, 0.99);
  const worst = Math.max(...answers.byAgency.map((durations) => percentile(durations, 0.99)));
  const start = answers.begins.reduce((first, began) => Math.min(first, began), Number.POSITIVE_INFINITY) + WARM_UP;
  const p99Of = (isMeant: (began: Instant) => boolean): string =>
    `${percentile(
      answers.durations.filter((_, n) => isMeant(answers.begins[n] ?? 0)),
      0.99,
    ).toFixed(1)} ms`;
  const requests = answers.durations.length + attacked.durations.length;
  const failed = countOf(answers.counts, (status) => status >= 500);
  const refused = countOf(answers.counts, (status) => status === 429);
  const broken = countOf(attacked.counts, (status) => status === 500);
  const isFull = minutes >= FULL_MINUTES && !isCi;
  const mostFailures = isCi ? limits.failuresInCi * answers.durations.length : 0;
  const { events, delivered, losses } = judgement;
  return [
    line('requests', `${requests}`, `≥ ${limits.requests}`, isFull ? requests >= limits.requests : null),
    line(
      'creators',
      `${answers.creators}`,
      `≥ ${limits.creators}`,
      isFull ? answers.creators >= limits.creators : null,
    ),
    line('requests of the seven', `${answers.durations.length}, 429 to ${refused}`, '', null),
    line('5xx to the seven', `${failed}`, `≤ ${Math.floor(mostFailures)}`, failed <= mostFailures),
    line('500 to the hostile', `${broken}`, '0', broken === 0),
    line('lost in feed or webhooks', `${losses.length} of ${events}, ${delivered} delivered`, '0', losses.length === 0),
    line('median of the seven', `${percentile(answers.durations, 0.5).toFixed(1)} ms`, '', null),
    line('p99 of the seven', `${p99.toFixed(1)} ms`, `< ${limits.p99} ms`, isCi ? null : p99 < limits.p99),
    line(
      'p99 of the first ten seconds',
      p99Of((began) => began < start),
      '',
      null,
    ),
    line(
      'p99 while the member rests',
      p99Of((began) => began >= start && memberRests(began)),
      '',
      null,
    ),
    line(
      'p99 while the member reads',
      p99Of((began) => began >= start && memberReads(began)),
      '',
      null,
    ),
    line('p99 of the worst of them', `${worst.toFixed(1)} ms`, '', null),
    line('longest', `${percentile(answers.durations, 1).toFixed(0)} ms`, '', null),
    ...memory.flatMap(({ name, max, growth }) => [
      line(`memory of ${name}`, `${max} MiB`, `< ${MAX_MEMORY} MiB`, max < MAX_MEMORY),
      line(`growth of ${name}`, growth.toFixed(3), `≤ ${MAX_GROWTH}`, isFull ? growth <= MAX_GROWTH : null),
    ]),
  ];
};

const line = (what: string, value: string, wanted: string, holds: boolean | null): Line => ({
  what,
  value,
  wanted,
  holds,
});
