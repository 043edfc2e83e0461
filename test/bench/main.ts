import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bench, type Figures, SPARING } from './figures.js';

/** `npm run bench` runs all, `npm run bench -- <name> …` some; each in its own process and directory. */

const BENCHES: Readonly<Record<string, () => Promise<{ readonly default: Bench }>>> = {
  'event-log-append': () => import('./event-log-append.js'),
  'eventstoredb-append': () => import('./eventstoredb-append.js'),
  'eventstoredb-append-followed': () => import('./eventstoredb-append-followed.js'),
  rebuild: () => import('./rebuild.js'),
  proofs: () => import('./proofs.js'),
  'get-scan': () => import('./get-scan.js'),
  'post-scan': () => import('./post-scan.js'),
  'post-creators': () => import('./post-creators.js'),
  dashboard: () => import('./dashboard.js'),
  'dashboard-pages': () => import('./dashboard-pages.js'),
  'webhook-deliveries': () => import('./webhook-deliveries.js'),
  'webhook-latency': () => import('./webhook-latency.js'),
  start: () => import('./start.js'),
  idle: () => import('./idle.js'),
};

const FLAGS: Readonly<Record<string, readonly string[]>> = { rebuild: SPARING, proofs: SPARING };

const RUN = '--run';

interface Outcome {
  readonly name: string;
  readonly wanted: number;
  /** Or why there are none. */
  readonly figures: Figures | string;
}

const runHere = async (name: string, dir: string): Promise<void> => {
  const bench = (await BENCHES[name]?.())?.default;
  if (bench === undefined) throw new Error(`there is no bench ${name}`);
  const outcome: Outcome = { name: bench.name, wanted: bench.wanted, figures: await bench.run(dir) };
  process.send?.(outcome);
  process.disconnect();
};

const runApart = async (name: string): Promise<Outcome | undefined> => {
  const dir = await mkdtemp(join(tmpdir(), `bench-${name}-`));
  try {
    const child = fork(import.meta.filename, [RUN, name, dir], { execArgv: [...(FLAGS[name] ?? [])] });
    let outcome: Outcome | undefined;
    child.on('message', (message) => {
      outcome = message as Outcome;
    });
    // Its last message may come after its end, but not after the end of the channel.
    const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    return code === 0 ? outcome : undefined;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

const verdictOf = (wanted: number, { value, floor, holds = true }: Figures): string =>
  value / floor >= wanted && holds ? 'reached' : 'MISSED';

const rounded = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: Math.abs(value) >= 100 ? 0 : 2 });

const rowOf = (outcome: Outcome): readonly string[] => {
  const { name, wanted, figures } = outcome;
  if (typeof figures === 'string') return [name, '', '', '', `≥ ${wanted}`, 'skipped', figures];
  const { value, floor, unit, note = '' } = figures;
  const measured = [`${rounded(value)} ${unit}`, `${rounded(floor)} ${unit}`, rounded(value / floor)];
  return [name, ...measured, `≥ ${wanted}`, verdictOf(wanted, figures), note];
};

const print = (rows: readonly (readonly string[])[]): void => {
  const columns = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(
      row
        .map((cell, n) => cell.padEnd(columns[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
};

const main = async (asked: readonly string[]): Promise<void> => {
  const unknown = asked.filter((name) => !(name in BENCHES));
  if (unknown.length > 0)
    throw new Error(`no bench ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);
  const rows: (readonly string[])[] = [['bench', 'value', 'floor', 'ratio', 'wanted', 'verdict', 'note']];
  for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
    process.stderr.write(`${name} …\n`);
    const outcome = await runApart(name);
    // A ratio that is missed is for people to judge; only what could not be measured is an error.
    if (outcome === undefined) process.exitCode = 1;
    rows.push(outcome === undefined ? [name, '', '', '', '', 'CRASHED', ''] : rowOf(outcome));
  }
  print(rows);
};

const [first, name = '', dir = ''] = process.argv.slice(2);
await (first === RUN ? runHere(name, dir) : main(process.argv.slice(2)));
