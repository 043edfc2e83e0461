/** The keys of an installation are under another master key; what is personal could be neither read nor written. */
export class WrongMasterKey extends Error {
  constructor(message = 'the keys of personal data are under another master key') {
    super(message);
    this.name = 'WrongMasterKey';
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
