import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A part of the soak in a separate process, which answers each question with one message. */
export interface Child<Ready> {
  readonly ready: Ready;
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a module of this folder, which sends one message when it is ready. */
export const startChild = async <Ready>(module: string, settings: object): Promise<Child<Ready>> => {
  const child = fork(join(import.meta.dirname, `${module}.js`), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${module} ended with ${code}`);
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
