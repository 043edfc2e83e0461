/** The copy cannot be made, or is not what it should be; the message says what to do. Nothing was overwritten. */
export class CopyRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CopyRefused';
  }
}
