import { StoreUnavailable } from '#kernel/ports';

/** Errors of Node's own modules are recognized by shape, because under Jest they belong to another realm. */
const member = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** Node's code for an error, for the log. */
export const codeOf = (error: unknown): unknown => member(error, 'code');

export const unavailable = (error: unknown, file: string): StoreUnavailable =>
  error instanceof StoreUnavailable
    ? error
    : new StoreUnavailable(`${file}: ${String(member(error, 'message') ?? error)}`, { cause: error });
