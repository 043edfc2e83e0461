import { execFile } from 'node:child_process';
import { mainOf } from '../../support/mains.js';
import type { Environment } from '../../support/tool.js';

/** Ends the process at the change of that number that it makes below the folder, by Node's file system and, if it says so, by SQLite. */
const KILLED_AT = `data:text/javascript,${encodeURIComponent(`
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  import { DatabaseSync, StatementSync } from 'node:sqlite';
  const { KILLED_BELOW, KILLED_AT, KILLED_BY } = process.env;
  let left = Number(KILLED_AT);
  const bySql = KILLED_BY.includes('SQL');
  const change = (isBelow) => isBelow && left-- === 0 && process.kill(process.pid, 'SIGKILL');
  for (const name of ['mkdirSync', 'copyFileSync', 'renameSync', 'rmSync', 'writeFileSync'].concat(bySql ? 'openSync' : [])) {
    const call = fs[name];
    fs[name] = (...args) => {
      change(args.some((arg) => String(arg).startsWith(KILLED_BELOW)));
      return call(...args);
    };
  }
  syncBuiltinESMExports();
  const databases = new WeakMap();
  const { exec, prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (...args) {
    bySql && change(this.location()?.startsWith(KILLED_BELOW));
    return exec.apply(this, args);
  };
  DatabaseSync.prototype.prepare = function (...args) {
    const statement = prepare.apply(this, args);
    databases.set(statement, this);
    return statement;
  };
  const { run } = StatementSync.prototype;
  StatementSync.prototype.run = function (...args) {
    bySql && change(databases.get(this)?.location()?.startsWith(KILLED_BELOW));
    return run.apply(this, args);
  };
`)}`;

/** Whether the tool was killed: it was not if it ended before that change. */
export const toolKilledAt = (
  step: number,
  by: 'files' | 'files and SQL',
  below: string,
  words: readonly string[],
  environment: Environment,
): Promise<boolean> =>
  new Promise((done) => {
    const env = { PATH: process.env.PATH, ...environment, KILLED_BY: by, KILLED_BELOW: below, KILLED_AT: `${step}` };
    execFile(process.execPath, ['--import', KILLED_AT, mainOf('cli'), ...words], { env }, (error) =>
      done(error?.signal === 'SIGKILL'),
    );
  });
