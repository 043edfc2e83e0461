import type { Command } from 'commander';
import { ALL_PROJECTIONS, LOG_RUNNERS } from '#contexts';
import { LogRunner } from '#jobs';
import { MINUTE, silentLogger } from '#kernel';
import { type AsideDocument, READ_MODELS } from '#projections';
import { logConsumers } from '../../../service/src/log-consumers.js';
import type { Services } from '../../../service/src/services.js';
import { operatorContext } from '../operator-context.js';
import { FailedCheck, Text } from '../print.js';
import type { Register } from '../register.js';
import { setAsideNow, shownAside } from './set-aside.js';

const TIMEOUT = MINUTE;

export const retryCommand = (projections: Command, register: Register): void =>
  register(
    projections.command('retry').description('process what runners have set aside; read models are rebuilt for it'),
    () => retry,
  );

/** D67: the runners process it again, those of a worker or else this one's; what fails again is set aside again. */
const retry = (services: Services): Promise<Text> =>
  whileRunning(services, async () => {
    const before = await setAsideNow(services);
    await rebuild(services, before);
    for (const aside of before.filter((one) => !isOfReadModel(one))) {
      const { runner, part, item, workspaceId, eventId } = aside;
      const context = { ...operatorContext(), workspaceId, causationId: eventId };
      await services.setAsides.retry({ runner, part, item }, context);
    }
    await reached(services);
    const after = await setAsideNow(services);
    const value = { retried: before.length, set_aside: after.map(shownAside) };
    const text = `Retried ${before.length}; ${after.length} still set aside.`;
    return after.length === 0 ? new Text(text, value) : new FailedCheck(text, value);
  });

/** A rebuild records itself which events it could process this time. */
const rebuild = async ({ rebuild: rebuilds }: Services, asides: readonly AsideDocument[]): Promise<void> => {
  const names = new Set(asides.filter(isOfReadModel).map(({ part }) => part));
  const incomplete = ALL_PROJECTIONS.filter(({ name }) => names.has(name));
  if (incomplete.length > 0) await rebuilds.run(incomplete);
};

const isOfReadModel = ({ runner, part }: AsideDocument): boolean =>
  runner === READ_MODELS && ALL_PROJECTIONS.some(({ name }) => name === part);

/** Runners first, then the read models, which show what those have set aside. */
const reached = async ({ caughtUp }: Services): Promise<void> => {
  await caughtUp(LOG_RUNNERS, TIMEOUT);
  await caughtUp([READ_MODELS], TIMEOUT);
};

/** Runs what follows the log, where no worker does. */
const whileRunning = async <T>(services: Services, task: () => Promise<T>): Promise<T> => {
  const { log, documents, leases, progress, setAsides } = services;
  const runners = logConsumers(services.app).map(
    (consumer) => new LogRunner(consumer, log, documents, leases, progress, setAsides, silentLogger),
  );
  for (const runner of runners) runner.start();
  try {
    await reached(services);
    return await task();
  } finally {
    await Promise.all(runners.map((runner) => runner.stop()));
  }
};
