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
import { writesContract } from './writes.js';

/**
 * The tests that every document store passes. `open` returns an empty store, which is closed at the end. If `open` is
 * undefined because there is no server, the suite is reported as skipped under its name.
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
    describe('writes with a checkpoint', () => writesContract(store));
    describe('compare and set', () => compareAndSetContract(store));
    describe('leases', () => leasesContract(store));
    describe('counters', () => countersContract(store));
  });
};
