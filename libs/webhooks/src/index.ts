export * from './ports.js';
export * from './signature.js';
export * from './target-rules.js';
