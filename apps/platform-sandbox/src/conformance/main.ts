import { Command } from 'commander';
import { type CheckResult, runChecks, type Target } from './run-checks.js';

interface Options {
  url: string;
  token: string;
  engineUrl?: string;
  engineToken?: string;
  searchUrl?: string;
  searchToken?: string;
  agency?: string;
  json?: boolean;
}

const { json, engineUrl, engineToken, searchUrl, searchToken, ...platform } = new Command('platform:conformance')
  .description('Checks an implementation of the native platform contract. It invites, scans, reports and submits.')
  .requiredOption('--url <url>', 'base address')
  .requiredOption('--token <token>', 'bearer token')
  .option('--engine-url <url>', 'base address of the scan engine, if it has its own')
  .option('--engine-token <token>', 'its bearer token')
  .option('--search-url <url>', 'base address of the search provider, if it has its own')
  .option('--search-token <token>', 'its bearer token')
  .option('--agency <id>', 'an agency to check with; without it most checks are skipped')
  .option('--json', 'one JSON object on one line')
  .parse()
  .opts<Options>();

const elsewhere = (url: string | undefined, token = platform.token) => (url === undefined ? undefined : { url, token });
const target: Target = {
  ...platform,
  engine: elsewhere(engineUrl, engineToken),
  search: elsewhere(searchUrl, searchToken),
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
