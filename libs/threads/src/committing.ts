import { parentPort, workerData } from 'node:worker_threads';
import {
  codeOf,
  Fenced,
  InvalidAppend,
  messageOf,
  StoreUnavailable,
  UnknownCollection,
  WrongExpectedRevision,
} from '#kernel/ports';

/** The message that ends the thread; no group equals it. */
export const CLOSE = null;

/** The results of a group in its order, and the errors of tasks that failed, by their place. */
export interface Outcomes<Result> {
  readonly results: readonly Result[];
  readonly errors: ReadonlyMap<number, SentError>;
}

interface Committing<Message, Result> {
  /** An error in place of a result fails that task; one that is thrown fails the whole group. */
  commit(group: readonly Message[]): readonly (Result | Error)[];
  close(): void;
}

/** The module of a `StoreWriter`'s thread calls it. */
export const commitGroups = <Settings, Message, Result>(
  open: (settings: Settings) => Committing<Message, Result>,
): void => {
  const port = parentPort;
  if (port === null) throw new Error('this module must be run as a thread');
  const store = open(workerData as Settings);
  const outcomesOf = (group: readonly Message[]) => {
    try {
      return store.commit(group);
    } catch (error) {
      return group.map(() => (error instanceof Error ? error : new Error(String(error))));
    }
  };
  port.on('message', (group: readonly Message[] | typeof CLOSE) => {
    if (group === CLOSE) {
      store.close();
      port.close();
      return;
    }
    const errors = new Map<number, SentError>();
    const results = outcomesOf(group).map((outcome, place) => {
      if (!(outcome instanceof Error)) return outcome;
      errors.set(place, sentError(outcome));
      return undefined;
    });
    port.postMessage({ results, errors } satisfies Outcomes<Result | undefined>);
  });
};

/** An error in the form that passes between threads, because it would lose its class and its members. */
interface SentError {
  readonly name: string;
  readonly message: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly cause: { readonly message: string; readonly code: unknown } | undefined;
}

/** The errors that stores report. Any other error arrives as an `Error` with the same message. */
const CLASSES = new Map(
  [Fenced, InvalidAppend, StoreUnavailable, UnknownCollection, WrongExpectedRevision].map((each) => [each.name, each]),
);

const sentError = (error: Error): SentError => {
  const { name, message, cause } = error;
  if (!CLASSES.has(name)) return { name, message, members: {}, cause: undefined };
  const sentCause = cause === undefined ? undefined : { message: messageOf(cause), code: codeOf(cause) };
  return { name, message, members: { ...error }, cause: sentCause };
};

export const receivedError = ({ name, message, members, cause }: SentError): Error => {
  const error = new Error(message, cause && { cause: Object.assign(new Error(cause.message), { code: cause.code }) });
  Object.setPrototypeOf(error, CLASSES.get(name)?.prototype ?? Error.prototype);
  return Object.assign(error, members);
};
