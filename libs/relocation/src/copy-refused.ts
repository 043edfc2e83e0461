/** The copy cannot be made, or differs from its source. The message says what to do. Nothing was overwritten. */
export class CopyRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CopyRefused';
  }
}
