/** A store's URL cannot be read, or has an option that is not known. The message has neither the URL nor its password. */
export class InvalidStoreUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidStoreUrl';
  }
}
