import {
  codeOf,
  DuplicateKey,
  Fenced,
  InvalidAppend,
  messageOf,
  StoreUnavailable,
  UnknownCollection,
  WrongExpectedRevision,
} from '#kernel/ports';

/** An error in the form that passes between threads, because it would lose its class and its members. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly cause: { readonly message: string; readonly code: unknown } | undefined;
}

/** What stores report of themselves. Any other error arrives as an `Error` of the same message. */
const CLASSES = new Map(
  [DuplicateKey, Fenced, InvalidAppend, StoreUnavailable, UnknownCollection, WrongExpectedRevision].map((each) => [
    each.name,
    each,
  ]),
);

export const sentError = (error: unknown): SentError => {
  if (!(error instanceof Error)) return { name: 'Error', message: messageOf(error), members: {}, cause: undefined };
  const { name, message, cause } = error;
  const sentCause = cause === undefined ? undefined : { message: messageOf(cause), code: codeOf(cause) };
  return CLASSES.has(name)
    ? { name, message, members: { ...error }, cause: sentCause }
    : { name, message, members: {}, cause: undefined };
};

export const receivedError = ({ name, message, members, cause }: SentError): Error => {
  const error = new Error(message, cause && { cause: Object.assign(new Error(cause.message), { code: cause.code }) });
  Object.setPrototypeOf(error, CLASSES.get(name)?.prototype ?? Error.prototype);
  return Object.assign(error, members);
};
