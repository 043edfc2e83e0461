import { expect } from '@jest/globals';
import type { Command, CommandBus } from '@nestjs/cqrs';
import { type DueHandler, type DueOutcome, dueItem, type Instant, type StoredDueItem } from '#kernel';
import { RecordingCommandBus } from './buses.js';
import { CAUSE, WORKSPACE } from './process-contexts.js';

export interface Handled<Result> {
  /** Exactly this command; its context is `contextOfProcess` or `contextOfRound`. Then the item has that outcome. */
  thenCommand(expected: Command<Result>, outcome: DueOutcome): Promise<void>;
}

/** Given a due item, when its job handles it and the command has this result, then that command and the outcome. */
export const givenDueItem = (job: (commands: CommandBus) => DueHandler, subject: string, dueAt: Instant = 0) => {
  type Run = (handler: DueHandler, item: StoredDueItem) => Promise<DueOutcome> | undefined;
  const when = <Result>(run: Run, result?: Result): Handled<Result> => ({
    thenCommand: async (expected, outcome) => {
      const bus = new RecordingCommandBus(result);
      const handler = job(bus);
      const item = { ...dueItem(handler.kind, subject, WORKSPACE, dueAt, CAUSE), position: 1 };
      const actual = await run(handler, item);
      bus.assertAllAnswered();
      expect(bus.commands).toStrictEqual([expected]);
      expect(actual).toStrictEqual(outcome);
    },
  });
  return {
    whenDue: <Result = void>(result?: Result) => when<Result>((handler, item) => handler.handle(item), result),
    /** The item was set aside at `dueAt` (D87). */
    whenSetAside: <Result>(result: Result) =>
      when<Result>((handler, item) => handler.handleSetAside?.({ ...item, isSetAside: true }), result),
  };
};
