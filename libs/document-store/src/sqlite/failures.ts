import { codeOf, DuplicateKey, Fenced, messageOf, StoreUnavailable, UnknownCollection } from '#kernel/ports';
import { asStoreError } from './sqlite-error.js';

/** An error in the form that passes between threads, because it would lose its class. */
export type Failure =
  | { readonly kind: 'duplicateKey' | 'unknownCollection' | 'fenced'; readonly subject: string }
  | { readonly kind: 'unavailable' | 'other'; readonly message: string; readonly cause?: CauseOfFailure };

interface CauseOfFailure {
  readonly message: string;
  readonly code: unknown;
}

export const failureOf = (thrown: unknown, file: string): Failure => {
  const error = asStoreError(thrown, file);
  if (error instanceof DuplicateKey) return { kind: 'duplicateKey', subject: error.collection };
  if (error instanceof UnknownCollection) return { kind: 'unknownCollection', subject: error.collection };
  if (error instanceof Fenced) return { kind: 'fenced', subject: error.runner };
  if (error instanceof StoreUnavailable) {
    const { message, cause } = error;
    return { kind: 'unavailable', message, cause: { message: messageOf(cause), code: codeOf(cause) } };
  }
  return { kind: 'other', message: messageOf(error) };
};

export const errorOf = (failure: Failure): Error => {
  switch (failure.kind) {
    case 'duplicateKey':
      return new DuplicateKey(failure.subject);
    case 'unknownCollection':
      return new UnknownCollection(failure.subject);
    case 'fenced':
      return new Fenced(failure.subject);
    case 'unavailable': {
      const { message, cause } = failure;
      return new StoreUnavailable(message, { cause: Object.assign(new Error(cause?.message), { code: cause?.code }) });
    }
    case 'other':
      return new Error(failure.message);
  }
};
