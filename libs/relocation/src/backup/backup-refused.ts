/** The backup cannot be taken or restored. The message says what to do. Nothing was overwritten. */
export class BackupRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupRefused';
  }
}
