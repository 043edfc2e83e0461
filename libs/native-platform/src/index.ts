export { createNativePlatform, type NativePlatform } from './native-platform.js';
export type { CallReport, RefusedReport } from './provider.js';
