import { Caches } from '#kernel';
import { documentStoreContract } from '../contract/index.js';
import { openSqliteDocumentStore } from './open.js';
import { temporaryFiles } from './testing/temporary-files.js';

const newFile = temporaryFiles();
const [file, fileWithoutCaches] = [newFile(), newFile()];

documentStoreContract('sqlite', () => openSqliteDocumentStore({ file }));
documentStoreContract('sqlite without caches', () =>
  openSqliteDocumentStore({ file: fileWithoutCaches, caches: Caches.OFF }),
);
