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
  /** The roots of the complete subtrees of the leaves read so far, the largest first. */
  private readonly peaks: { readonly start: number; readonly node: Node }[] = [];
  private read = 0;
  private readonly wanted = new Set<string>();
  private readonly kept = new Map<string, Node>();

  constructor(readonly size: number) {}

  /** Keeps what proves that the first `count` leaves are a tree of their own. Must come before the first leaf. */
  wantConsistency(count: number): void {
    for (const range of consistencyRanges(count, this.size)) this.want(range);
  }

  /** `isWanted`: whether the leaf's inclusion is to be proven. Leaves beyond the size are ignored. */
  add(eventHash: EventHash, isWanted: boolean): void {
    if (this.read === this.size) return;
    if (isWanted) {
      // Nodes at the left of a leaf are the roots that stand when it comes.
      for (const { start, node } of this.peaks) this.kept.set(keyOf({ start, end: this.endOf(start) }), node);
      for (const range of inclusionRanges(this.read, this.size)) if (range.start > this.read) this.want(range);
    }
    let node = leafOf(eventHash);
    let start = this.read;
    this.read++;
    this.keep(start, node);
    for (let length = 1; (this.read / length) % 2 === 0; length *= 2) {
      const left = this.peaks.pop();
      if (left === undefined) break;
      start = left.start;
      node = nodeOf(left.node, node);
      this.keep(start, node);
    }
    this.peaks.push({ start, node });
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

  private endOf(start: number): number {
    const next = this.peaks.findIndex((peak) => peak.start === start) + 1;
    return this.peaks[next]?.start ?? this.read;
  }

  private want({ start, end }: Range): void {
    const split = splitOf({ start, end });
    this.wanted.add(keyOf({ start, end }));
    // Only complete subtrees are seen as they end; the others are made of them.
    if (!isComplete({ start, end })) {
      this.want({ start, end: split });
      this.want({ start: split, end });
    }
  }

  private keep(start: number, node: Node): void {
    const key = keyOf({ start, end: this.read });
    if (this.wanted.has(key)) this.kept.set(key, node);
  }

  private nodeOver(range: Range): Node {
    const known = this.kept.get(keyOf(range)) ?? this.peaks.find((peak) => this.isPeak(peak, range))?.node;
    if (known !== undefined) return known;
    if (isComplete(range)) throw new Error(`the leaves from ${range.start} to ${range.end} were not read`);
    const split = splitOf(range);
    return nodeOf(this.nodeOver({ start: range.start, end: split }), this.nodeOver({ start: split, end: range.end }));
  }

  private isPeak({ start }: { readonly start: number }, range: Range): boolean {
    return start === range.start && this.endOf(start) === range.end;
  }
}

const keyOf = ({ start, end }: Range): string => `${start}-${end}`;
const bytesOf = (node: Node): Buffer => Buffer.from(node, 'latin1');
const isComplete = ({ start, end }: Range): boolean => Number.isInteger(Math.log2(end - start));

/** The left subtree is the largest power of two that leaves something for the right one. */
const splitOf = ({ start, end }: Range): number => start + 2 ** (Math.ceil(Math.log2(end - start)) - 1);

const inclusionRanges = (index: number, size: number): Range[] => {
  const path: Range[] = [];
  for (let range: Range = { start: 0, end: size }; range.end - range.start > 1; ) {
    const split = splitOf(range);
    const left = { start: range.start, end: split };
    const right = { start: split, end: range.end };
    path.unshift(index < split ? right : left);
    range = index < split ? left : right;
  }
  return path;
};

const consistencyRanges = (count: number, size: number): Range[] => {
  const path: Range[] = [];
  let range: Range = { start: 0, end: size };
  while (count < range.end) {
    const split = splitOf(range);
    const left = { start: range.start, end: split };
    const right = { start: split, end: range.end };
    path.unshift(count <= split ? right : left);
    range = count <= split ? left : right;
  }
  // The reader of the proof knows the root of the first leaves.
  return range.start === 0 ? path : [range, ...path];
};
