export type { ServiceAddress } from './http-service.js';
export { createNativePlatform, type NativePlatform, type NativePlatformOptions } from './native-platform.js';
export type { CallOutcome, CallReport } from './provider.js';
