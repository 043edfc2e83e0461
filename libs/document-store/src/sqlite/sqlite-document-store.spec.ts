import { documentStoreContract } from '../contract/index.js';
import { openSqliteDocumentStore } from './open.js';
import { temporaryFiles } from './testing/temporary-files.js';

const file = temporaryFiles()();

documentStoreContract('sqlite', () => openSqliteDocumentStore({ file }));
