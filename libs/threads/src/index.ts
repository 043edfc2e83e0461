export { commitGroups, StoreWriter } from './store-writer.js';
