import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StartedProcess<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  /** Sends the process a question, and resolves to what it says next. */
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts a module of this folder in a separate process, which sends one message when it is ready. What it writes to
 * standard error goes to a file in the directory: real logs on a real disk, and not in the way.
 */
export const startProcess = async <Ready>(
  module: string,
  dir: string,
  settings: object,
): Promise<StartedProcess<Ready>> => {
  const log = join(dir, `${module}.log`);
  const stderr = openSync(log, 'a');
  const file = join(import.meta.dirname, `${module}.js`);
  const child = fork(file, { stdio: ['ignore', 'inherit', stderr, 'ipc'] });
  closeSync(stderr);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`${module} ended: ${readFileSync(log, 'utf8').slice(-2_000)}`);
  });
  ended.catch(() => undefined);
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as Answer;
  };
  const isReady = answer<Ready>();
  child.send(settings);
  const ready = await isReady;
  return {
    ready,
    pid: child.pid ?? 0,
    ask<Answer>(question: object): Promise<Answer> {
      const answered = answer<Answer>();
      child.send(question);
      return answered;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    },
  };
};

/** What the process is started with, asked for once. */
export const settingsOf = async <Settings>(): Promise<Settings> => {
  // When the bench ends, in any way, this process ends too.
  process.once('disconnect', () => process.exit());
  const [settings] = await once(process, 'message');
  return settings as Settings;
};

export const sendToParent = (message: object): void => {
  process.send?.(message);
};
