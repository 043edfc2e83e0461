export { type Running, run } from './run.js';
export { createServices, type Services } from './services.js';
