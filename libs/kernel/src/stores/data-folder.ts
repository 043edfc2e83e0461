/** The files of a data directory. What SQLite adds to them has their name with `-wal` or `-shm` after it. */
export const DATA_FILES = {
  log: 'events.db',
  keys: 'personal-keys.db',
  documents: 'documents.db',
  counters: 'documents.db-counters',
  masterKey: 'master.key',
} as const;
