import { createHash } from 'node:crypto';

/** The tree and the checks of proofs as RFC 6962 and RFC 9162 write them, without any code of the service. */
const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const leaf = (hash: string): Buffer => sha256(Buffer.of(0), Buffer.from(hash, 'base64url'));
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

/** RFC 6962, 2.1. */
export const rootOf = (hashes: readonly string[]): Buffer => {
  if (hashes.length === 0) return sha256();
  if (hashes.length === 1) return leaf(hashes[0] as string);
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return node(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
};

/** RFC 9162, 2.1.3.2. */
export const isIncluded = (hash: string, index: number, size: number, path: readonly Buffer[], root: Buffer) => {
  if (index >= size) return false;
  let [fn, sn, r] = [index, size - 1, leaf(hash)];
  for (const p of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = node(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = node(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && r.equals(root);
};

/** RFC 9162, 2.1.4.2. */
export const isConsistent = (first: number, second: number, from: Buffer, to: Buffer, proof: readonly Buffer[]) => {
  if (first === second) return proof.length === 0 && from.equals(to);
  const path = Number.isInteger(Math.log2(first)) ? [from, ...proof] : [...proof];
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0], path[0]];
  if (fr === undefined || sr === undefined) return false;
  for (const c of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = node(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(from) && sr.equals(to);
};
