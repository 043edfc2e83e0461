import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '#kernel';
import { problemsOf } from './config.fixtures.js';
import { readConfig, VARIABLES } from './config.js';

describe('the configuration', () => {
  it('is complete without any variable, and listens to this machine alone', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 3_000, dataDir: resolve('data'), ops: undefined });
    expect(readConfig({ OPS_PORT: '0' }).ops).toEqual({ host: '127.0.0.1', port: 0 });
  });

  it('has the limits, intervals and currency of the specification, and webhooks only to public addresses', () => {
    expect(readConfig({})).toMatchObject({
      rateLimitPerMinute: 120,
      verificationCache: 5 * SECOND,
      scanScheduleEvery: DAY,
      pricing: { perCreatorMonth: undefined, minimumMonthly: 0, currency: 'EUR' },
      webhookTargets: 'public',
      webhookBackoff: [MINUTE, 10 * MINUTE, HOUR, 6 * HOUR],
    });
  });

  it.each(['HOST', 'OPS_HOST', 'DATA_DIR'])('%s cannot be empty, which would have another meaning', (name) => {
    for (const nothing of ['', ' ']) expect(problemsOf({ [name]: nothing })).toEqual([`${name}: must not be empty`]);
  });

  it.each([
    ['DATA_DIR', '/var/lib/svc'],
    ['HOST', '127.0.0.1'],
    ['OPS_HOST', '127.0.0.1'],
    ['DASHBOARD_URL', 'https://dash.example/dashboard'],
    ['NATIVE_PLATFORM_URL', 'https://platform.example'],
    ['FAVICON_URL', 'https://icons.example/{domain}'],
    ['EVENTSTOREDB_URL', 'esdb://127.0.0.1:2113?tls=false'],
    ['MONGODB_URL', 'mongodb://127.0.0.1/svc'],
  ])('%s with a stray quote, blank or line end is refused, as it would mean another place', (name, value) => {
    const besides = { NATIVE_PLATFORM_TOKEN: 't', MASTER_KEY: Buffer.alloc(32).toString('base64') };
    const named = (text: string) =>
      problemsOf({ ...besides, [name]: text }).filter((each) => each.startsWith(`${name}: `));
    for (const stray of [
      `"${value}"`,
      `'${value}`,
      `${value} `,
      ` ${value}`,
      `${value}\r`,
      `${value}\n`,
      `\u{a0}${value}`,
      `${value}\u200b`,
      `\u201c${value}\u201d`,
    ]) {
      expect(named(stray)).toEqual([
        `${name}: must not begin or end with a quote or a blank, or contain a control character`,
      ]);
    }
    expect(named(value)).toEqual([]);
  });

  it.each(['~/data', '~', '$HOME/data', '/srv/$NAME', 'file:///srv/data'])('DATA_DIR is no %s', (folder) => {
    expect(problemsOf({ DATA_DIR: folder })).toEqual([
      'DATA_DIR: must be a path without ~, $NAME or file:, which are not expanded here',
    ]);
  });

  it('accepts a folder with blanks and quotes within its name', () => {
    expect(readConfig({ DATA_DIR: "/srv/mia's data" }).dataDir).toBe("/srv/mia's data");
  });

  it('FAVICON_URL is an http or https URL', () => {
    for (const text of ['{domain}', 'ftp://icons.example/{domain}', 'https://ico ns.example/{domain}']) {
      expect(problemsOf({ FAVICON_URL: text })).toEqual(['FAVICON_URL: must be an http or https URL']);
    }
  });

  it('LOG_ORIGIN fits into the first line of a checkpoint and the name of its key', () => {
    expect(readConfig({ LOG_ORIGIN: 'agency.example/events' }).logOrigin).toBe('agency.example/events');
    for (const text of ['agency events', 'agency+events', 'ägency', 'a'.repeat(201), 'agency\nevents']) {
      expect(problemsOf({ LOG_ORIGIN: text })).toEqual([expect.stringMatching(/^LOG_ORIGIN: /)]);
    }
  });

  it('reports all errors together', () => {
    const problems = problemsOf({ PORT: '65536', CURRENCY: 'GBP', DASHBOARD_URL: ':::', SCAN_ENGINE_TOKEN: 't' });
    const names = problems.map((problem) => problem.split(':')[0]);
    expect(names.toSorted()).toEqual(['CURRENCY', 'DASHBOARD_URL', 'PORT', 'SCAN_ENGINE_URL']);
  });

  it('has a row in docs/configuration.md for each variable and no other', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const cells = [...page.matchAll(/^\| (`[A-Z].*?) \|/gm)].map(([, cell = '']) => cell);
    const documented = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name));
    const ours = documented.filter((name) => !name?.startsWith('SANDBOX_') && name !== 'NODE_ENV');
    expect(ours.sort()).toEqual([...VARIABLES].sort());
  });
});
