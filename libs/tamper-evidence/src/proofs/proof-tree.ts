import type { EventHash } from '../event-hash.js';
import { leafOf, nodeOf } from '../merkle.js';

/** The root of a subtree, 32 bytes as a string of 32 characters. */
type Node = string;

/** Leaves from `start` up to, but without, `end`. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A Merkle tree (RFC 6962, 2.1) that is read once, leaf by leaf, and keeps only the nodes that the wanted proofs need.
 * `size` is the number of leaves.
 */
export class ProofTree {
  /** The complete subtrees of the leaves read so far, the largest first. */
  private readonly peaks: Subtree[] = [];
  private read = 0;
  private readonly wanted = new Set<number>();
  private readonly kept = new Map<number, Node>();

  constructor(readonly size: number) {}

  /** Keeps what proves that the first `count` leaves are a tree of their own. Must come before the first leaf. */
  wantConsistency(count: number): void {
    for (const range of consistencyRanges(count, this.size)) this.want(range);
  }

  /** `isWanted`: whether the leaf's inclusion is to be proven. Leaves beyond the size are ignored. */
  add(eventHash: EventHash, isWanted: boolean): void {
    if (this.read === this.size) return;
    if (isWanted) {
      // Nodes at the left of a leaf are the subtrees that are complete when it comes.
      for (const { key, node } of this.peaks) this.kept.set(key, node);
      for (const range of inclusionRanges(this.read, this.size)) if (range.start > this.read) this.want(range);
    }
    let node = leafOf(eventHash);
    let start = this.read;
    let length = 1;
    this.read++;
    for (; ; length *= 2) {
      const key = keyOf(start, length);
      if (this.wanted.has(key)) this.kept.set(key, node);
      if ((this.read / length) % 2 !== 0) {
        this.peaks.push({ key, node });
        return;
      }
      node = nodeOf(this.peaks.pop()?.node ?? '', node);
      start -= length;
    }
  }

  root(): Buffer {
    return bytesOf(this.nodeOver({ start: 0, end: this.size }));
  }

  /** The audit path of RFC 6962, 2.1.1, from the leaf's sibling up to the child of the root. */
  inclusionOf(index: number): Buffer[] {
    return inclusionRanges(index, this.size).map((range) => bytesOf(this.nodeOver(range)));
  }

  /** The consistency proof of RFC 6962, 2.1.2. */
  consistencyFrom(count: number): Buffer[] {
    return consistencyRanges(count, this.size).map((range) => bytesOf(this.nodeOver(range)));
  }

  /** Only complete subtrees are seen as they end; others are made of them. */
  private want(range: Range): void {
    if (isComplete(range)) this.wanted.add(keyOf(range.start, range.end - range.start));
    else for (const part of partsOf(range)) this.want(part);
  }

  private nodeOver(range: Range): Node {
    if (!isComplete(range)) {
      const [left, right] = partsOf(range);
      return nodeOf(this.nodeOver(left), this.nodeOver(right));
    }
    const key = keyOf(range.start, range.end - range.start);
    const known = this.kept.get(key) ?? this.peaks.find((peak) => peak.key === key)?.node;
    if (known === undefined) throw new Error(`the leaves from ${range.start} to ${range.end} were not kept`);
    return known;
  }
}

interface Subtree {
  readonly key: number;
  readonly node: Node;
}

/** Names a complete subtree: there are fewer than 64 lengths. */
const keyOf = (start: number, length: number): number => start * 64 + Math.log2(length);
const bytesOf = (node: Node): Buffer => Buffer.from(node, 'latin1');
const isComplete = ({ start, end }: Range): boolean => Number.isInteger(Math.log2(end - start));

/** The left part is the largest power of two that leaves something for the right one. */
const partsOf = ({ start, end }: Range): readonly [Range, Range] => {
  const split = start + 2 ** (Math.ceil(Math.log2(end - start)) - 1);
  return [
    { start, end: split },
    { start: split, end },
  ];
};

const inclusionRanges = (index: number, size: number): Range[] => {
  const path: Range[] = [];
  for (let range: Range = { start: 0, end: size }; range.end - range.start > 1; ) {
    const [left, right] = partsOf(range);
    const isLeft = index < left.end;
    path.unshift(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  return path;
};

const consistencyRanges = (count: number, size: number): Range[] => {
  const path: Range[] = [];
  let range: Range = { start: 0, end: size };
  while (count < range.end) {
    const [left, right] = partsOf(range);
    const isLeft = count <= left.end;
    path.unshift(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  // The reader of the proof knows the root of the first leaves.
  return range.start === 0 ? path : [range, ...path];
};
