export { createNativePlatform, type NativePlatform } from './native-platform.js';
export type { CallReport } from './provider.js';
