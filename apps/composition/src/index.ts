export { type Config, InvalidConfiguration, readConfig } from './config.js';
export { type AppLogger, createLogger } from './logger.js';
export type { Metrics } from './metrics.js';
export { openPlace, type Place } from './places.js';
export { type Running, run } from './run.js';
export { configuredSealKey } from './seal-key.js';
export { createServices, type Services } from './services.js';
export { layered, openStoredLog, openStores, type Stores } from './stores.js';
