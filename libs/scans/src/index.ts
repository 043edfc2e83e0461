export * from './commands.js';
export * from './ports.js';
export * from './public-scan.js';
export * from './scan.events.js';
export * from './scan.js';
export * from './scan-allowance.js';
export { type Queued, Scans } from './scans.js';
