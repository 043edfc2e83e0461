import { GroupCommit } from '#kernel/ports';
import { receivedError, type SentError, sentError } from './sent-errors.js';
import { answerRequests } from './serving.js';
import { WriterThread } from './writer-thread.js';

interface StoreWriterOptions<Task> {
  /** Of the store, as an error names it. */
  readonly name: string;
  /** Calls `commitGroups`, and gets the settings. */
  readonly module: URL;
  readonly settings: unknown;
  /** The task as it passes to the thread. */
  readonly messageOf?: (task: Task) => unknown;
  /** The part of a group that a task takes. */
  readonly shareOf?: (task: Task) => number;
}

/** The results of a group in its order, and the errors of tasks that failed, by their place. */
interface Outcomes<Result> {
  readonly results: readonly Result[];
  readonly errors: ReadonlyMap<number, SentError>;
}

/** Writes of an embedded store: tasks are committed together, in a thread of the store, and answered after the commit. */
export class StoreWriter<Task, Result> {
  readonly #thread: WriterThread<unknown, readonly unknown[], Outcomes<Result>>;
  readonly #groups: GroupCommit<Task, Result>;

  constructor({ name, module, settings, messageOf = (task) => task, shareOf }: StoreWriterOptions<Task>) {
    this.#thread = new WriterThread(module, settings);
    const commit = async (group: readonly Task[]): Promise<(Result | Error)[]> => {
      const { results, errors } = await this.#thread.ask(group.map(messageOf));
      return results.map((result, place) => {
        const error = errors.get(place);
        return error === undefined ? result : receivedError(error);
      });
    };
    this.#groups = new GroupCommit(name, commit, shareOf);
  }

  /** Rejects with the task's own error, or with `StoreUnavailable`. */
  add(task: Task): Promise<Result> {
    return this.#groups.add(task);
  }

  /** Accepts nothing more, and ends the thread after everything that was accepted has been written. */
  async close(): Promise<void> {
    await this.#groups.close();
    await this.#thread.close();
  }
}

interface Committing<Message, Result> {
  /** An error in place of a result fails that task; one that is thrown fails the whole group. */
  commit(group: readonly Message[]): readonly (Result | Error)[];
  close(): void;
}

/** The module of a `StoreWriter`'s thread calls it. */
export const commitGroups = <Settings, Message, Result>(
  open: (settings: Settings) => Committing<Message, Result>,
): void =>
  answerRequests((settings: Settings) => {
    const store = open(settings);
    const outcomes = (group: readonly Message[]) => {
      try {
        return store.commit(group);
      } catch (error) {
        return group.map(() => (error instanceof Error ? error : new Error(String(error))));
      }
    };
    return {
      answer(group: readonly Message[]): Outcomes<Result | undefined> {
        const errors = new Map<number, SentError>();
        const results = outcomes(group).map((outcome, place) => {
          if (!(outcome instanceof Error)) return outcome;
          errors.set(place, sentError(outcome));
          return undefined;
        });
        return { results, errors };
      },
      close: () => store.close(),
    };
  });
