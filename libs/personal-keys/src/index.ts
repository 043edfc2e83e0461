export * from './memory/memory-key-store.js';
export * from './mongodb/mongodb-key-store.js';
export * from './sqlite/sqlite-key-store.js';
