import { readFileSync } from 'node:fs';

type Sums = readonly [number, number];

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says in which order of bytes the checksums are computed. */
const MAGIC = 0x377f0682;
const SUMS_AT = 16;

/**
 * Says what SQLite would silently leave out of a write-ahead log: it reads up to the first damage (D107). The torn end
 * of a write that was never committed is no damage. Undefined if nothing is left out, or the file is empty.
 */
export const damageOfWriteAheadLog = (file: string): string | undefined => {
  const bytes = readFileSync(file);
  if (bytes.length === 0) return undefined;
  const isKnown = bytes.length >= HEADER_BYTES && (bytes.readUInt32BE(0) & ~1) >>> 0 === MAGIC;
  const isLittleEndian = isKnown && bytes.readUInt32BE(0) === MAGIC;
  let sums = isKnown ? sum(bytes, 0, HEADER_BYTES - 8, isLittleEndian, [0, 0]) : undefined;
  if (sums === undefined || !holds(bytes, HEADER_BYTES - 8, sums)) return 'its header is damaged';
  const length = FRAME_HEADER_BYTES + bytes.readUInt32BE(8);
  for (let at = HEADER_BYTES; at + length <= bytes.length; at += length) {
    // Frames from before the log began again at its start have other salts.
    if (!bytes.subarray(at + 8, at + 16).equals(bytes.subarray(16, 24))) break;
    sums &&= sum(bytes, at, 8, isLittleEndian, sums);
    sums &&= sum(bytes, at + FRAME_HEADER_BYTES, length - FRAME_HEADER_BYTES, isLittleEndian, sums);
    if (sums !== undefined && !holds(bytes, at + SUMS_AT, sums)) sums = undefined;
    const isCommit = bytes.readUInt32BE(at + 4) !== 0;
    if (sums === undefined && isCommit) return `it is damaged before byte ${at + length}`;
  }
  return undefined;
};

const holds = (bytes: Buffer, at: number, [one, other]: Sums): boolean =>
  bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === other;

const sum = (bytes: Buffer, from: number, length: number, isLittleEndian: boolean, [first, second]: Sums): Sums => {
  let [one, other] = [first, second];
  const read = isLittleEndian ? (at: number) => bytes.readUInt32LE(at) : (at: number) => bytes.readUInt32BE(at);
  for (let at = from; at < from + length; at += 8) {
    one = (one + read(at) + other) >>> 0;
    other = (other + read(at + 4) + one) >>> 0;
  }
  return [one, other];
};
