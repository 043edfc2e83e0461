export { commitGroups } from './committing.js';
export { StoreWriter } from './store-writer.js';
