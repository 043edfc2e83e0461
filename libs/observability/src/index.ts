export { createLogger } from './logger.js';
export { Metrics } from './metrics.js';
export { type OperatorsListener, startOperatorsListener } from './operators-listener.js';
