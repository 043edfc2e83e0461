import { hash } from 'node:crypto';
import type { EventHash } from './event-hash.js';

const LEAF = 0x00;
const NODE = 0x01;
const HASH_BYTES = 32;

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

const leafOf = (eventHash: EventHash): Buffer => {
  const bytes = Buffer.alloc(1 + HASH_BYTES, LEAF);
  bytes.write(eventHash, 1, 'base64url');
  return sha256(bytes);
};

const nodeOf = (left: Buffer, right: Buffer): Buffer => {
  const bytes = Buffer.allocUnsafe(1 + 2 * HASH_BYTES);
  bytes[0] = NODE;
  left.copy(bytes, 1);
  right.copy(bytes, 1 + HASH_BYTES);
  return sha256(bytes);
};

/**
 * A Merkle tree (RFC 6962, 2.1) of event hashes that grows at its right end. Only the roots of its complete subtrees
 * are kept, one for each bit of the count that is set, the largest first.
 */
export class Frontier {
  constructor(
    private size = 0,
    private readonly peaks: Buffer[] = [],
  ) {}

  /** As a seal holds it; undefined where that is no frontier of so many events. */
  static of(count: number, peaks: readonly string[]): Frontier | undefined {
    const hashes = peaks.map((peak) => Buffer.from(peak, 'base64url'));
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

  /** The tree's hash in base64url; that of nothing is the SHA-256 of nothing. */
  root(): string {
    const root = this.peaks.reduceRight<Buffer | undefined>(
      (right, left) => (right === undefined ? left : nodeOf(left, right)),
      undefined,
    );
    return (root ?? sha256(Buffer.alloc(0))).toString('base64url');
  }

  hashes(): string[] {
    return this.peaks.map((peak) => peak.toString('base64url'));
  }

  copy(): Frontier {
    return new Frontier(this.size, [...this.peaks]);
  }
}

const bitsSet = (count: number): number => count.toString(2).replaceAll('0', '').length;
