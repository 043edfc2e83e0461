import type { Command } from 'commander';
import { SECOND } from '#kernel';
import { RebuildReadModels } from '#projections';
import type { Operator } from '../operator.js';
import { withProgressBar } from '../progress-bar.js';
import type { Register } from '../register.js';

export const rebuildCommand = (projections: Command, register: Register): void =>
  register.analysing(
    projections
      .command('rebuild [names...]')
      .description('rebuild read models from the log while the live ones serve, and switch'),
    rebuild,
  );

const rebuild = async (
  { commands, runners }: Operator,
  _options: object,
  names: readonly string[],
): Promise<object> => {
  const began = performance.now();
  const { names: rebuilt, events } = await runners.rebuilding(() =>
    withProgressBar((onProgress) => commands.execute(new RebuildReadModels(names, onProgress))),
  );
  return { rebuilt, events, seconds: Math.round(performance.now() - began) / SECOND };
};
