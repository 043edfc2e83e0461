import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A module in a separate process, which answers each question with one message. */
export interface ChildProcess<Ready> {
  readonly ready: Ready;
  readonly pid: number;
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/**
 * Starts a module, which sends one message when it is ready. What it writes to standard error goes to the log file, or to
 * this process's where none is given.
 */
export const startChildProcess = async <Ready>(
  file: string,
  settings: object,
  log?: string,
): Promise<ChildProcess<Ready>> => {
  const stderr = log === undefined ? 'inherit' : openSync(log, 'a');
  const child = fork(file, { stdio: ['ignore', 'inherit', stderr, 'ipc'] });
  if (typeof stderr === 'number') closeSync(stderr);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code} ${log === undefined ? '' : readFileSync(log, 'utf8').slice(-2_000)}`);
  });
  ended.catch(() => undefined);
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = await Promise.race([once(child, 'message'), ended]);
    return message as Answer;
  };
  const isReady = answer<Ready>();
  child.send(settings);
  return {
    ready: await isReady,
    pid: child.pid ?? 0,
    ask<Answer>(question: object) {
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

/** In the child: what it is started with. It ends with its parent. */
export const settingsOf = async <Settings>(): Promise<Settings> => {
  process.once('disconnect', () => process.exit());
  const [settings] = await once(process, 'message');
  return settings as Settings;
};

export const sendToParent = (message: object): void => {
  process.send?.(message);
};
