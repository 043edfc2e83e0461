import type { DocumentStore } from '#kernel';

/** How a part of the contract gets the store, once the suite has opened it. */
export type StoreUnderTest = () => DocumentStore;

/** Why a test server cannot do something; the tests that need it are skipped. */
export interface Unsupported {
  readonly nestedArrays?: string;
}
