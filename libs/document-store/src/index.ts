export { InMemoryDocumentStore } from './memory/memory-document-store.js';
export { openMongoDbDocumentStore } from './mongodb/open.js';
export { openSqliteDocumentStore } from './sqlite/open.js';
