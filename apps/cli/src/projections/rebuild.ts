import type { Command } from 'commander';
import { DomainError, SECOND } from '#kernel';
import { type RebuildProgress, Rollback } from '#projections';
import type { Services } from '../../../service/src/services.js';
import { progressBar } from '../progress-bar.js';
import type { Register } from '../register.js';
import { projectionsNamed } from './names.js';
import { statusOf } from './status.js';

export const rebuildCommands = (projections: Command, register: Register): void => {
  register.analysing(
    projections
      .command('rebuild [names...]')
      .description('rebuild read models from the log while the live ones serve, and switch; keeps the replaced ones'),
    (_options, names = []) =>
      (services) =>
        rebuild(services, names),
  );
  register.analysing(
    projections
      .command('rollback [names...]')
      .description('bring what the last rebuild replaced up to the log, and switch back to it'),
    (_options, names = []) =>
      async (services) => {
        const chosen = projectionsNamed(names);
        const rollback = services.app.get(Rollback);
        const possible = names.length === 0 ? await rollback.possible(chosen) : chosen;
        if (possible.length === 0) throw new DomainError('not_found');
        await rollback.run(possible);
        return statusOf(services, possible);
      },
  );
  register.analysing(
    projections.command('discard [names...]').description('drop what is kept for a rollback'),
    (_options, names = []) =>
      async (services) => {
        await services.app.get(Rollback).discard(projectionsNamed(names));
        return statusOf(services, projectionsNamed(names));
      },
  );
};

const rebuild = async (services: Services, names: readonly string[]): Promise<object> => {
  const chosen = projectionsNamed(names);
  const began = performance.now();
  let events = 0;
  const bar = progressBar();
  const onProgress = (progress: RebuildProgress) => {
    ({ events } = progress);
    bar.onProgress(progress);
  };
  try {
    await services.rebuild.run(chosen, { onProgress });
  } finally {
    bar.stop();
  }
  const seconds = Math.round(performance.now() - began) / SECOND;
  return { rebuilt: chosen.map(({ name }) => name), events, seconds };
};
