export { InMemoryDocumentStore } from './memory/memory-document-store.js';
export { openSqliteDocumentStore } from './sqlite/open.js';
