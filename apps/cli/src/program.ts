import { Command, CommanderError } from 'commander';
import { NotComparable, NotStateable, UnknownEvent } from '#auditing';
import { DomainError, OtherVersion, StoreUnavailable, systemClock } from '#kernel';
import { CopyRefused } from '#relocation';
import {
  createServices,
  InvalidConfiguration,
  openStores,
  readConfig,
  type Services,
} from '../../composition/src/index.js';
import { agencyCommands } from './agencies.js';
import { eventCommands } from './events.js';
import { keyCommands } from './keys.js';
import { logCommands } from './log-copy.js';
import { Alarm, print } from './print.js';
import { privacyCommands } from './privacy.js';
import { projectionCommands } from './projections/index.js';
import { usageCommands } from './usage/index.js';
import { webhookCommands } from './webhooks.js';

/** What a command does: it gets the services over the configured stores, and returns what is to be printed. */
export type Action = (services: Services) => Promise<unknown>;

/** What a command does that opens for itself what it needs: it may be run where there is nothing but a copy of the log. */
export type Task = (environment: NodeJS.ProcessEnv) => Promise<unknown>;

/** Registers a command whose result is printed. */
export interface Register {
  (command: Command, action: (options: never, ...words: never[]) => Action): void;
  apart(command: Command, task: (options: never, ...words: never[]) => Task): void;
}

/** The operators' tool. Errors go to standard error as one JSON object, with exit status 1. */
export const createProgram = (environment: NodeJS.ProcessEnv) => ({
  async run(words: readonly string[]): Promise<number> {
    const program = new Command('cli').description('Operate the Creator Protection Agency API').exitOverride();
    program.option('--json', 'print one JSON value on one line');
    program.configureOutput({ writeErr: () => undefined });
    const isJson = words.includes('--json');
    let status = 0;
    const tell = async (result: unknown): Promise<void> => {
      if (result instanceof Alarm) status = 1;
      await print(result, isJson);
    };
    let pending: (() => Promise<void>) | undefined;
    const onCall = (command: Command, called: (options: never, words: never[]) => () => Promise<void>) => {
      command.option('--json', 'print one JSON value on one line');
      command.action((...args: unknown[]) => {
        // Commander hands over the arguments, then the options, then the command itself.
        pending = called(args.at(-2) as never, args.slice(0, -2) as never[]);
      });
    };
    const register: Register = Object.assign(
      (command: Command, action: (options: never, ...words: never[]) => Action) =>
        onCall(command, (options, args) => {
          const act = action(options, ...args);
          return () => withServices(environment, act, tell);
        }),
      {
        apart: (command: Command, task: (options: never, ...words: never[]) => Task) =>
          onCall(command, (options, args) => {
            const run = task(options, ...args);
            return async () => tell(await run(environment));
          }),
      },
    );
    agencyCommands(program.command('agencies').description('bind agencies to their owners'), register);
    eventCommands(program.command('events').description('read the history'), register);
    keyCommands(program.command('keys').description('issue, list and revoke API keys'), register);
    logCommands(program.command('log').description('move the log to other stores'), register);
    webhookCommands(
      program.command('webhooks').description('register endpoints, and see and repeat deliveries'),
      register,
    );
    projectionCommands(program.command('projections').description('see, rebuild and check the read models'), register);
    privacyCommands(program.command('privacy').description('erase or export what is held on a creator'), register);
    usageCommands(program.command('usage').description('explain what usage consists of'), register);

    try {
      await program.parseAsync(words, { from: 'user' });
      await pending?.();
      return status;
    } catch (error) {
      return report(error);
    }
  },
});

const withServices = async (
  environment: NodeJS.ProcessEnv,
  action: Action,
  tell: (result: unknown) => Promise<void>,
): Promise<void> => {
  const config = readConfig(environment);
  const services = await createServices(config, await openStores(config), systemClock);
  try {
    await tell(await action(services));
  } finally {
    await services.close();
  }
};

const report = (error: unknown): number => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { code, message } = explain(error);
  process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
  return 1;
};

const explain = (error: unknown): { code: string; message: string } => {
  if (error instanceof DomainError) {
    const fields = error.fields.map(({ field, message }) => `${field} ${message}`).join('; ');
    return { code: error.code, message: fields || error.code.replaceAll('_', ' ') };
  }
  if (error instanceof CommanderError) {
    const isIncomplete = error.code === 'commander.help';
    const message = isIncomplete ? 'a word is missing; see --help' : error.message.replace(/^error: /, '');
    return { code: 'invalid_request', message };
  }
  if (error instanceof InvalidConfiguration) return { code: 'invalid_configuration', message: error.message };
  if (error instanceof UnknownEvent) return { code: 'not_found', message: error.message };
  if (error instanceof OtherVersion) return { code: 'not_comparable', message: error.message };
  if (error instanceof NotStateable) return { code: 'invalid_request', message: error.message };
  if (error instanceof NotComparable) return { code: 'invalid_request', message: error.message };
  if (error instanceof CopyRefused) return { code: 'copy_refused', message: error.message };
  if (error instanceof StoreUnavailable) return { code: 'store_unavailable', message: error.message };
  return { code: 'internal_error', message: error instanceof Error ? error.message : String(error) };
};
