/** Where class-transformer stores the arguments of `@Type()`. It publishes no types for this file. */
declare module 'class-transformer/cjs/storage.js' {
  export { defaultMetadataStorage } from 'class-transformer/types/storage.js';
}
