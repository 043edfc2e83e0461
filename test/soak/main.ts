import { linesOf, type Outcome } from './outcome.js';
import { run } from './run.js';

/**
 * `npm run soak`: eleven agencies, four of them hostile, one with a hostile member at the dashboard (who reads every second ten seconds), at the default rate limit and at ten times that, each for
 * `MINUTES`; `SOAK_LIMITS=1200` runs one of the two alone. Ends with status 1 where what must hold does not.
 */

const DEFAULT_LIMIT = 120;
const RUNS = [
  { rateLimit: DEFAULT_LIMIT, creators: 200, limits: { p99: 250, failuresInCi: 0, requests: 0, creators: 0 } },
  {
    rateLimit: 10 * DEFAULT_LIMIT,
    creators: 600,
    // In CI load, platform and service share two cores, and a synchronization beyond its budget is 504 (D80).
    limits: { p99: 500, failuresInCi: 0.01, requests: 200_000, creators: 4_000 },
  },
];
const MAX_LOSSES_SHOWN = 10;

const minutes = Number(process.env.MINUTES ?? 30);
if (!(minutes > 0)) throw new Error('MINUTES must be a number above 0');
const isCi = process.env.CI !== undefined;
const only = process.env.SOAK_LIMITS?.split(',').map(Number);

const print = (rows: readonly (readonly string[])[]): void => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
};

const verdictOf = (holds: boolean | null): string => (holds === null ? '' : holds ? 'holds' : 'FAILED');

const show = (outcome: Outcome, limits: (typeof RUNS)[number]['limits']): boolean => {
  const lines = linesOf(outcome, limits, isCi);
  console.log(`\n${outcome.rateLimit} requests a minute for each agency, ${outcome.minutes} minutes`);
  print(lines.map(({ what, value, wanted, holds }) => [what, value, wanted, verdictOf(holds)]));
  for (const loss of outcome.judgement.losses.slice(0, MAX_LOSSES_SHOWN)) console.log(`  ${loss}`);
  for (const [name, { counts, p99s }] of [
    ['the seven', outcome.answers],
    ['the hostile', outcome.attacked],
  ] as const) {
    const all = Object.entries(counts).sort(([one], [other]) => one.localeCompare(other));
    const shown = all.map(([kind, count]) => `${kind} ${count} (${(p99s[kind] ?? 0).toFixed(0)} ms)`);
    console.log(`answers to ${name}, with the p99 of the worst agency: ${shown.join(', ')}`);
  }
  return lines.every(({ holds }) => holds !== false);
};

for (const { rateLimit, creators, limits } of RUNS) {
  if (only?.includes(rateLimit) === false) continue;
  process.stderr.write(`${rateLimit} requests a minute, ${minutes} minutes …\n`);
  const outcome = await run({ rateLimit, minutes, creators });
  if (!show(outcome, limits)) process.exitCode = 1;
}
