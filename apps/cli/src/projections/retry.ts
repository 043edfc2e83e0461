import type { Command } from 'commander';
import { GetReadModelStatus, RetryDeadLetters } from '#projections';
import type { Operator } from '../operator.js';
import { operatorContext } from '../operator-context.js';
import { FailedCheck, Text } from '../print.js';
import type { Register } from '../register.js';
import { shownDeadLetter } from './dead-letter.js';

export const retryCommand = (projections: Command, register: Register): void =>
  register(
    projections.command('retry').description('process what runners have set aside; read models are rebuilt for it'),
    retry,
  );

/** D67: the runners process it again: those of a worker, or the tool's own if there is none. */
const retry = ({ commands, queries, runners }: Operator): Promise<Text> =>
  runners.following(async (caughtUp) => {
    const retried = await commands.execute(new RetryDeadLetters(operatorContext()));
    await caughtUp();
    const status = await queries.execute(new GetReadModelStatus([]));
    const deadLetters = [...status.readModels, ...status.runners].flatMap(({ deadLetters }) => deadLetters);
    const left = deadLetters.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const value = { retried, set_aside: left.map(shownDeadLetter) };
    const text = `Retried ${retried}; ${left.length} still set aside.`;
    return left.length === 0 ? new Text(text, value) : new FailedCheck(text, value);
  });
