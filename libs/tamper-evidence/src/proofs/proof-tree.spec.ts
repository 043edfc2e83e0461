import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ProofTree } from './proof-tree.js';
import { isConsistent, isIncluded, rootOf } from './rfc6962.fixtures.js';

const hashes = (count: number) =>
  Array.from({ length: count }, (_, n) => createHash('sha256').update(`${n}`).digest('base64url'));

describe('ProofTree', () => {
  it('proves each leaf and each beginning of every tree of up to 33 leaves', () => {
    for (let size = 1; size <= 33; size++) {
      const leaves = hashes(size);
      const root = rootOf(leaves);
      const tree = new ProofTree(size);
      for (let count = 1; count <= size; count++) tree.wantConsistency(count);
      for (const leaf of leaves) tree.add(leaf, true);
      expect(tree.root()).toEqual(root);
      for (const [index, leaf] of leaves.entries()) {
        const path = tree.inclusionOf(index);
        expect(isIncluded(leaf, index, size, path, root)).toBe(true);
        expect(isIncluded(leaf, (index + 1) % size, size, path, root)).toBe(size === 1);
      }
      for (let count = 1; count <= size; count++) {
        const beginning = rootOf(leaves.slice(0, count));
        expect(isConsistent(count, size, beginning, root, tree.consistencyFrom(count))).toBe(true);
        const other = rootOf([...leaves.slice(1, count), 'A'.repeat(43)]);
        expect(isConsistent(count, size, other, root, tree.consistencyFrom(count))).toBe(false);
      }
    }
  });

  it('proves some leaves of a large tree, and ignores what comes after its size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.nat(),
        (size, picks, from) => {
          const leaves = hashes(size + 5);
          const wanted = new Set(picks.map((pick) => pick % size));
          const count = 1 + (from % size);
          const tree = new ProofTree(size);
          tree.wantConsistency(count);
          for (const [index, leaf] of leaves.entries()) tree.add(leaf, wanted.has(index));
          const root = rootOf(leaves.slice(0, size));
          expect(tree.root()).toEqual(root);
          for (const index of wanted)
            expect(isIncluded(leaves[index] as string, index, size, tree.inclusionOf(index), root)).toBe(true);
          expect(isConsistent(count, size, rootOf(leaves.slice(0, count)), root, tree.consistencyFrom(count))).toBe(
            true,
          );
        },
      ),
      { numRuns: 100, seed: 45 },
    );
  });

  it('refuses a path whose leaves were not wanted', () => {
    const tree = new ProofTree(8);
    for (const leaf of hashes(8)) tree.add(leaf, false);
    expect(() => tree.inclusionOf(3)).toThrow('were not kept');
  });
});
