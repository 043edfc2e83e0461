import { DomainError, type ErrorCode } from '#kernel';
import type { ServiceCalls } from './provider.js';

/** In place of a service without an address (D19): every call rejects. */
export const unconfigured = (code: ErrorCode): ServiceCalls => {
  const reject = () => Promise.reject(new DomainError(code));
  return {
    configured: false,
    read: reject,
    find: reject,
    change: reject,
    send: reject,
    reportRefused: () => undefined,
    close: async () => undefined,
    abortInFlight: async () => undefined,
  };
};
