/** Where class-transformer keeps what `@Type()` was given. It publishes no types for this file. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
