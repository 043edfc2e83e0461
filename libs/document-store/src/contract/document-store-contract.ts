import { afterAll, beforeAll, describe } from '@jest/globals';
import type { DocumentStore } from '#kernel';
import { collectionsContract } from './collections.js';
import { compareAndSetContract } from './compare-and-set.js';
import { countersContract } from './counters.js';
import { documentsContract } from './documents.js';
import { leasesContract } from './leases.js';
import { nullsContract } from './nulls.js';
import { rangesContract } from './ranges.js';
import type { StoreUnderTest, Unsupported } from './store-under-test.js';
import { uniqueContract } from './unique.js';
import { writesContract } from './writes.js';

/**
 * What every document store does. `open` gives an empty one, which is closed at the end; where it is undefined, for
 * want of a server, the suite is reported as skipped under its name.
 */
export const documentStoreContract = (
  name: string,
  open: (() => DocumentStore | Promise<DocumentStore>) | undefined,
  unsupported: Unsupported = {},
): void => {
  const suite = open === undefined ? describe.skip : describe;
  suite(`document store: ${name}`, () => {
    let opened: DocumentStore | undefined;
    beforeAll(async () => {
      opened = await open?.();
    });
    afterAll(async () => {
      await opened?.close();
    });
    const store: StoreUnderTest = () => {
      if (opened === undefined) throw new Error('the store is not open yet');
      return opened;
    };

    describe('documents', () => documentsContract(store, unsupported));
    describe('collections', () => collectionsContract(store));
    describe('ranges', () => rangesContract(store));
    describe('nulls in ranges', () => nullsContract(store));
    describe('unique indexes', () => uniqueContract(store, unsupported));
    describe('writes with a checkpoint', () => writesContract(store));
    describe('compare and set', () => compareAndSetContract(store));
    describe('leases', () => leasesContract(store));
    describe('counters', () => countersContract(store));
  });
};
