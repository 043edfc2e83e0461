export { type Config, readConfig } from './config.js';
export { type AppLogger, createLogger } from './logger.js';
export type { Metrics } from './metrics.js';
export { type Running, run } from './run.js';
export { createServices, type Services } from './services.js';
export { layered, openStores, type Stores } from './stores.js';
