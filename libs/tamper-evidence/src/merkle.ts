import { hash } from 'node:crypto';
import type { EventHash } from './event-hash.js';

const HASH_BYTES = 32;

/** 32 bytes as a string of 32 characters: faster to create and to collect than a buffer. */
type Bytes = string;

const LEAF = Buffer.alloc(1 + HASH_BYTES, 0x00);
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES, 0x01);

export const leafOf = (eventHash: EventHash): Bytes => {
  LEAF.fill(0, 1);
  LEAF.write(eventHash, 1, 'base64url');
  return hash('sha256', LEAF, 'binary');
};

export const nodeOf = (left: Bytes, right: Bytes): Bytes => {
  NODE.write(left, 1, 'latin1');
  NODE.write(right, 1 + HASH_BYTES, 'latin1');
  return hash('sha256', NODE, 'binary');
};

const asText = (bytes: Bytes): string => Buffer.from(bytes, 'latin1').toString('base64url');

/**
 * A Merkle tree (RFC 6962, 2.1) of event hashes that grows at its right end. Only the roots of its complete subtrees
 * are kept, one for each bit of the count that is set, the largest first.
 */
export class Frontier {
  constructor(
    private size = 0,
    private readonly peaks: Bytes[] = [],
  ) {}

  /** The frontier in the form of a seal; undefined if it does not fit the count. */
  static of(count: number, peaks: readonly string[]): Frontier | undefined {
    const hashes = peaks.map((peak) => Buffer.from(peak, 'base64url').toString('latin1'));
    const isWhole = hashes.length === bitsSet(count) && hashes.every((bytes) => bytes.length === HASH_BYTES);
    return isWhole ? new Frontier(count, hashes) : undefined;
  }

  get count(): number {
    return this.size;
  }

  add(eventHash: EventHash): void {
    let node = leafOf(eventHash);
    for (let size = this.size; size % 2 === 1; size = Math.floor(size / 2)) {
      const left = this.peaks.pop();
      if (left !== undefined) node = nodeOf(left, node);
    }
    this.peaks.push(node);
    this.size++;
  }

  root(): string {
    const root = this.peaks.reduceRight<Bytes | undefined>(
      (right, left) => (right === undefined ? left : nodeOf(left, right)),
      undefined,
    );
    return root === undefined ? hash('sha256', '', 'base64url') : asText(root);
  }

  hashes(): string[] {
    return this.peaks.map(asText);
  }
}

const bitsSet = (count: number): number => count.toString(2).replaceAll('0', '').length;
