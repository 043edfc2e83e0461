export { InMemoryDocumentStore } from './memory/memory-document-store.js';
export { openSqliteDocumentStore, type SqliteDocumentStoreOptions } from './sqlite/open.js';
