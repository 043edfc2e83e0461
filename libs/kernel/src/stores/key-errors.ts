/** A store's URL cannot be read, or has an option that is not known. The message has neither the URL nor its password. */
export class InvalidStoreUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidStoreUrl';
  }
}

/** The keys of an installation are under another master key; what is personal could be neither read nor written. */
export class WrongMasterKey extends Error {
  constructor(message = 'the keys of personal data are under another master key') {
    super(message);
    this.name = 'WrongMasterKey';
  }
}

/** The log is empty or was deleted, and the other stores show that it was not empty (D92). */
export class MissingLog extends Error {
  constructor(proof: string) {
    super(
      `the event log is empty, but ${proof}: its file or database was deleted, replaced or not restored. Restore it: for ` +
        'files stop all processes and run `npm run -s cli -- backup restore --from <folder>`. To start an installation ' +
        'without its data, move all files out of DATA_DIR, or drop the databases of this service',
    );
    this.name = 'MissingLog';
  }
}

/** By default: the log holds encrypted data, and the key store has none of the keys. */
export class MissingKeys extends Error {
  constructor(
    message = 'the log holds encrypted personal data, but the key store is empty; restore the key store ' +
      '(personal-keys.db, or the database that ends in _personal_keys) that belongs to this log',
  ) {
    super(message);
    this.name = 'MissingKeys';
  }
}

/** D106: the log is part of another one, or lacks keys. */
export class UnfinishedCopy extends Error {
  constructor() {
    super('a copy into these stores was interrupted: run the same `npm run -s cli -- log copy` again');
    this.name = 'UnfinishedCopy';
  }
}
