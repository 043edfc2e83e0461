import type { Command } from 'commander';
import { SECOND } from '#kernel';
import { DiscardReplacedReadModels, GetReadModelStatus, RebuildReadModels, RollBackReadModels } from '#projections';
import type { Operator } from '../operator.js';
import { progressBar } from '../progress-bar.js';
import type { Register } from '../register.js';
import { statusShown } from './status.js';

export const rebuildCommands = (projections: Command, register: Register): void => {
  register.analysing(
    projections
      .command('rebuild [names...]')
      .description('rebuild read models from the log while the live ones serve, and switch; keeps the replaced ones'),
    (_options, names = []) =>
      (operator) =>
        rebuild(operator, names),
  );
  register.analysing(
    projections
      .command('rollback [names...]')
      .description('update the collections that the last rebuild replaced, and switch back to them'),
    (_options, names = []) =>
      async ({ commands, queries }) => {
        const changed = await commands.execute(new RollBackReadModels(names));
        return statusShown(await queries.execute(new GetReadModelStatus(changed)));
      },
  );
  register.analysing(
    projections.command('discard [names...]').description('drop the collections that are kept for a rollback'),
    (_options, names = []) =>
      async ({ commands, queries }) => {
        const changed = await commands.execute(new DiscardReplacedReadModels(names));
        return statusShown(await queries.execute(new GetReadModelStatus(changed)));
      },
  );
};

const rebuild = async ({ commands }: Operator, names: readonly string[]): Promise<object> => {
  const began = performance.now();
  const bar = progressBar();
  const { names: rebuilt, events } = await commands
    .execute(new RebuildReadModels(names, bar.onProgress))
    .finally(() => bar.stop());
  return { rebuilt, events, seconds: Math.round(performance.now() - began) / SECOND };
};
