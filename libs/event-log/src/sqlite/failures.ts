import { messageOf, StoreUnavailable } from '#kernel/ports';

export const unavailable = (error: unknown, file: string): StoreUnavailable =>
  error instanceof StoreUnavailable ? error : new StoreUnavailable(`${file}: ${messageOf(error)}`, { cause: error });
