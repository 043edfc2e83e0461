export { createNativePlatform, NativePlatform } from './native-platform.js';
export type { CallReport, RefusedReport } from './provider.js';
