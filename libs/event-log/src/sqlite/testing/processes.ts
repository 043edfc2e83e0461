import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export type Line = Readonly<Record<string, unknown>>;

/** Another process on the same log; see `log-process.ts` for its commands. */
export class LogProcess {
  /** All that it has said so far. */
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #gone: Promise<unknown>;
  #heard: () => void = () => {};
  #isGone = false;

  constructor(file: string) {
    const path = (name: string) => new URL(name, import.meta.url).pathname;
    const flags = ['--disable-warning=ExperimentalWarning', '--experimental-transform-types'];
    this.#child = spawn(
      process.execPath,
      [...flags, '--import', path('../../../../threads/src/run-typescript.mjs'), path('./log-process.ts'), file],
      { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    this.#gone = once(this.#child, 'close').then(() => {
      this.#isGone = true;
      this.#heard();
    });
    if (!this.#child.stdout) throw new Error('the process has no standard output');
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      // A killed process may leave half a line.
      if (line.endsWith('}')) this.lines.push(JSON.parse(line) as Line);
      this.#heard();
    });
  }

  send(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** The lines so far, once they are as asked. */
  async until(enough: (lines: readonly Line[]) => boolean): Promise<readonly Line[]> {
    while (!enough(this.lines)) {
      if (this.#isGone) throw new Error('the process has ended');
      await new Promise<void>((resolve) => {
        this.#heard = resolve;
      });
    }
    return this.lines;
  }

  async done(commands = 1): Promise<void> {
    await this.until((lines) => lines.filter((line) => 'done' in line).length >= commands);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  /** Lets it finish and close its log. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    await this.#gone;
  }
}
