import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, type Errand, mainOf } from '../../support/mains.js';
import type { Environment, Finished } from '../../support/tool.js';

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [member: string]: unknown;
}

/** Nothing of the test's own environment but what a process needs to start, and to start fast. */
const inherited = (): NodeJS.ProcessEnv => {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE };
};

/** A process of the built service. */
export class AppProcess {
  readonly logs: LogLine[] = [];
  /** When it was started, and how long it took until it was ready. */
  readonly startedAt = performance.now();
  readyAfter: number | undefined;
  private readonly child: ChildProcess;
  private readonly gone: Promise<void>;
  private readonly isReady = Promise.withResolvers<string>();

  constructor(
    private readonly app: App,
    environment: Environment,
  ) {
    this.child = spawn(process.execPath, [mainOf(app)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...inherited(), ...environment },
    });
    if (this.child.stderr === null) throw new Error('the process has no standard error');
    createInterface({ input: this.child.stderr }).on('line', (line) => this.hear(line));
    this.gone = once(this.child, 'close').then(() => {
      this.isReady.reject(new Error(`${app} has ended:\n${this.logs.map((each) => JSON.stringify(each)).join('\n')}`));
    });
    // Not everybody waits for it: some are killed before.
    this.isReady.promise.catch(() => undefined);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.app} could not be started`);
    return this.child.pid;
  }

  /** Its address once it is ready, `''` for one that has none. */
  ready(): Promise<string> {
    return this.isReady.promise;
  }

  /** Ends it immediately, as `kill -9` does; returns when it has exited. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.gone;
  }

  /** Takes all time from it, and returns once it is stopped; it can still be killed. */
  async pause(): Promise<void> {
    this.child.kill('SIGSTOP');
    // The state comes after the name, which is in parentheses.
    while (!/\) T /.test(await readFile(`/proc/${this.pid}/stat`, 'utf8'))) await delay(1);
  }

  goOn(): void {
    this.child.kill('SIGCONT');
  }

  /** Lets it stop in order; returns its exit status. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    await this.gone;
    return this.child.exitCode;
  }

  private hear(line: string): void {
    const said = parseLog(line);
    this.logs.push(said);
    if (said.msg !== `${this.app} ready`) return;
    this.readyAfter = performance.now() - this.startedAt;
    this.isReady.resolve(typeof said.url === 'string' ? said.url : '');
  }
}

/** A line that is not JSON comes from Node itself, or is half a line of a process that was killed. */
const parseLog = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { level: 0, msg: line };
  }
};

/** Runs an app to its end. */
export const runToEnd = (app: Errand, words: readonly string[], environment: Environment): Promise<Finished> =>
  new Promise((done) => {
    const options = { env: { ...inherited(), ...environment } };
    execFile(process.execPath, [mainOf(app), ...words], options, (error, stdout, stderr) => {
      done({ status: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, stdout, stderr });
    });
  });
