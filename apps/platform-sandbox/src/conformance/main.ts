import { Command } from 'commander';
import { withSecretFiles } from '#configuration';
import { type CheckResult, runChecks, type Target } from './run-checks.js';

interface Options {
  url: string;
  engineUrl?: string;
  searchUrl?: string;
  agency?: string;
  json?: boolean;
}

/** D95: other users of the machine see the arguments of a process. */
const refuseToken = (variable: string) => () => {
  console.error(`A token is no argument: set ${variable}, or ${variable}_FILE.`);
  process.exit(1);
};

const { json, engineUrl, searchUrl, ...platform } = new Command('platform:conformance')
  .description(
    'Checks an implementation of the native platform contract. It invites, scans, reports and submits. The bearer token is in NATIVE_PLATFORM_TOKEN.',
  )
  .requiredOption('--url <url>', 'base address')
  .option('--engine-url <url>', 'base address of the scan engine, if it has its own; its token is in SCAN_ENGINE_TOKEN')
  .option('--search-url <url>', 'base address of the search provider, if it has its own; DEINDEX_PROVIDER_TOKEN')
  .option('--agency <id>', 'an agency to check with; without it most checks are skipped')
  .option('--json', 'one JSON object on one line')
  .option('--token <token>', 'refused: set NATIVE_PLATFORM_TOKEN', refuseToken('NATIVE_PLATFORM_TOKEN'))
  .option('--engine-token <token>', 'refused: set SCAN_ENGINE_TOKEN', refuseToken('SCAN_ENGINE_TOKEN'))
  .option('--search-token <token>', 'refused: set DEINDEX_PROVIDER_TOKEN', refuseToken('DEINDEX_PROVIDER_TOKEN'))
  .parse()
  .opts<Options>();

const { environment, problems } = withSecretFiles(process.env);
const token = environment.NATIVE_PLATFORM_TOKEN;
if (token === undefined || problems.length > 0) {
  console.error(problems.length > 0 ? problems.join('\n') : 'NATIVE_PLATFORM_TOKEN is not set.');
  process.exit(1);
}
const elsewhere = (url: string | undefined, itsToken = token) =>
  url === undefined ? undefined : { url, token: itsToken };
const target: Target = {
  ...platform,
  token,
  engine: elsewhere(engineUrl, environment.SCAN_ENGINE_TOKEN),
  search: elsewhere(searchUrl, environment.DEINDEX_PROVIDER_TOKEN),
};

const results: CheckResult[] = [];
for await (const result of runChecks(target)) {
  results.push(result);
  if (!json) console.log(`${result.result.padEnd(7)} ${result.name}${result.reason ? `: ${result.reason}` : ''}`);
}

const count = (kind: CheckResult['result']) => results.filter(({ result }) => result === kind).length;
const summary = { passed: count('pass'), failed: count('fail'), skipped: count('skipped') };
if (json) console.log(JSON.stringify({ ...summary, checks: results }));
else console.log(`${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
process.exitCode = summary.failed > 0 ? 1 : 0;
