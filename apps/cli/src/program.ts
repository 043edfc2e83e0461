import type { Writable } from 'node:stream';
import { Command, CommanderError } from 'commander';
import { BUILD, VERSION_LINE } from '../../service/src/process.js';
import type { Failure } from './failure.js';
import type { Operator } from './operator.js';
import { checkOutput, OutputFailed } from './output.js';
import { FailedCheck, print } from './print.js';
import type { Action, Register } from './register.js';
import type { KeyNeed } from './stores/with-operator.js';

interface Group {
  addCommands(group: Command, register: Register): void;
}

const GROUPS: readonly (readonly [name: string, description: string, load: () => Promise<Group>])[] = [
  ['agencies', 'bind agencies to their owners', () => import('./agencies.js')],
  ['backup', 'back up a running installation into a folder, check the backup, restore it', () => import('./backup.js')],
  ['creators', 'keep the slots of creators in step with the platform', () => import('./creators.js')],
  ['events', 'read the history', () => import('./events.js')],
  ['keys', 'issue, list and revoke API keys', () => import('./keys.js')],
  ['log', 'move the log to other stores', () => import('./log-copy.js')],
  ['master-key', 'change the key that all other keys are derived from', () => import('./master-key.js')],
  ['webhooks', 'register endpoints, show and replay deliveries', () => import('./webhooks.js')],
  ['projections', 'show, rebuild and check the read models', () => import('./projections.js')],
  ['privacy', 'erase or export the personal data of a creator', () => import('./privacy.js')],
  ['usage', 'explain usage figures', () => import('./usage.js')],
];

export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** The operators' tool. Errors go to standard error as one JSON object, with exit status 1. */
export const createProgram = (environment: NodeJS.ProcessEnv, { stdout, stderr }: Streams) => ({
  async run(words: readonly string[]): Promise<number> {
    const program = new Command('cli').description('Operate the Creator Protection Agency API').exitOverride();
    program.option('--json', 'print one JSON value on one line');
    program.configureOutput({ writeOut: (text) => stdout.write(text), writeErr: () => undefined });
    const isJson = words.includes('--json');
    program.version(isJson ? JSON.stringify(BUILD) : VERSION_LINE, '--version');
    let status = 0;
    const printResult = async (result: unknown): Promise<void> => {
      if (result instanceof FailedCheck) status = 1;
      await print(result, isJson, stdout);
    };
    const onCall = (command: Command, called: (options: never, words: never[]) => Promise<void>) => {
      command.option('--json', 'print one JSON value on one line');
      // Commander passes the arguments, then the options, then the command.
      command.action((...args: unknown[]) => called(args.at(-2) as never, args.slice(0, -2) as never[]));
    };
    const withOperator = async (need: KeyNeed, task: (operator: Operator) => Promise<void>): Promise<void> => {
      const stores = await import('./stores/with-operator.js');
      await stores.withOperator(environment, need, task);
    };
    const needing = (needOf: (options: never) => KeyNeed, command: Command, action: Action) =>
      onCall(command, (options, words) =>
        withOperator(needOf(options), async (operator) => printResult(await action(operator, options, ...words))),
      );
    const always = (need: KeyNeed) => needing.bind(undefined, () => need);
    const reading: Register['reading'] = (command, action, isWriting = () => false) =>
      needing((options) => (isWriting(options) ? 'serve' : 'read'), command, action);
    const revealing: Register['revealing'] = (command, action, remedy) =>
      onCall(command, async (options, words) => {
        checkOutput(stdout);
        await withOperator('serve', async (operator) => {
          const result = await action(operator, options, ...words);
          await printResult(result).catch((error: unknown) => {
            throw error instanceof OutputFailed ? error.withRemedy(remedy(result.id)) : error;
          });
        });
      });
    const apart: Register['apart'] = (command, task) =>
      onCall(command, async (options, words) => printResult(await task(environment, options, ...words)));
    const register: Register = Object.assign(always('serve'), { reading, revealing, analysing: always('copy'), apart });

    try {
      for (const [name, description, load] of GROUPS) {
        const group = program.command(name).description(description);
        if (words.includes(name)) (await load()).addCommands(group, register);
      }
      await program.parseAsync(words, { from: 'user' });
      return status;
    } catch (error) {
      return error instanceof OutputFailed && error.isEnough ? 0 : report(error, words, stderr);
    }
  },
});

const report = async (error: unknown, words: readonly string[], stderr: Writable): Promise<number> => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { code, message } = await explain(error, words);
  stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
  return 1;
};

const explain = async (error: unknown, words: readonly string[]): Promise<Failure> => {
  if (error instanceof CommanderError) {
    const isIncomplete = error.code === 'commander.help';
    const message = isIncomplete ? 'the command is incomplete; see --help' : error.message.replace(/^error: /, '');
    return { code: 'invalid_request', message };
  }
  const { failureOf } = await import('./failure.js');
  return failureOf(error, words);
};
