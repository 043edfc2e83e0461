import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { StoreUnavailable } from './event-log.js';
import { errcodeOf, messageOf } from './node-error.js';

type Sums = readonly [number, number];

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The last bit says in which order of bytes the checksums are computed. */
const MAGIC = 0x377f0682;
const SUMS_AT = 16;

/**
 * Says what SQLite would silently leave out of a write-ahead log: it reads up to the first damage (D107). The torn end
 * of an uncommitted write is not damage. Returns undefined if nothing is left out or the file is empty.
 */
const damageOfWriteAheadLog = (file: string): string | undefined => {
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

const BUSY_TIMEOUT = 1_000;
/** For example where SQLite may not create its files next to the database. */
const CANNOT_OPEN = 14;

/** Other processes may write to the file. `probe` is a statement that any file of this kind answers. */
export const openDatabaseForReading = (file: string, probe: string): DatabaseSync => {
  requireFile(file);
  try {
    return open(file, probe);
  } catch (error) {
    if (errcodeOf(error) !== CANNOT_OPEN || !existsSync(file)) throw error;
    return openCopyForReading(file, probe);
  }
};

/**
 * D107: opens a copy, such as a backup, and changes neither it nor its folder, to which SQLite would add files. A damaged
 * write-ahead log is refused, unless the caller says itself what is lost (`damageOfCopy`).
 */
export const openCopyForReading = (
  file: string,
  probe: string,
  damage: 'is refused' | 'is left out' = 'is refused',
): DatabaseSync => {
  requireFile(file);
  if (damage === 'is refused') refuseDamagedCopy(file);
  if (ADDED.some((suffix) => sizeOf(file + suffix) > 0)) return openThroughCopy(file, probe);
  const unchanging = pathToFileURL(file);
  unchanging.searchParams.set('immutable', '1');
  return open(unchanging, probe);
};

/** SQLite would not only leave it out: where it may write, it removes the damaged write-ahead log. */
export const refuseDamagedCopy = (file: string): void => {
  const fault = damageOfCopy(file);
  if (fault === undefined) return;
  throw new StoreUnavailable(
    `${fault}, so everything that only it holds is lost. Take another backup or copy, or move the file away if you accept the loss`,
  );
};

/** Says what SQLite would leave out of the write-ahead log next to a file; undefined if it reads all of it. */
export const damageOfCopy = (file: string): string | undefined => {
  if (!existsSync(`${file}-wal`)) return undefined;
  requireFile(`${file}-wal`);
  const damage = damageOfWriteAheadLog(`${file}-wal`);
  return damage && `${file}-wal cannot be read: ${damage}`;
};

/** A read of a pipe would wait forever. */
export const requireFile = (path: string): void => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new StoreUnavailable(`${path} is not a file, but a folder, a pipe, a socket or a device`);
};

/** SQLite keeps these files next to a database that is open, or that was copied while it was open. */
const ADDED = ['-wal', '-shm'];

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The private copy has no name any more when this returns, and disappears when it is closed. */
const openThroughCopy = (file: string, probe: string): DatabaseSync => {
  const folder = mkdtempSync(join(tmpdir(), `for-reading-${process.pid}-`));
  try {
    const copy = join(folder, 'copy.db');
    copyBoth(file, copy);
    return open(copy, probe);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const copyBoth = (file: string, copy: string): void => {
  const suffixes = ['', '-wal'].filter((suffix) => existsSync(file + suffix));
  const state = () =>
    suffixes.map((suffix) => statSync(file + suffix, { bigint: true })).flatMap(({ size, mtimeNs }) => [size, mtimeNs]);
  const before = state();
  try {
    for (const suffix of suffixes) {
      copyFileSync(file + suffix, copy + suffix);
      chmodSync(copy + suffix, 0o600);
    }
  } catch (cause) {
    throw new StoreUnavailable(`${file} could not be copied to be read: ${messageOf(cause)}`, { cause });
  }
  if (isDeepStrictEqual(state(), before)) return;
  throw new StoreUnavailable(`${file} is being written to by another process: take a backup of it and read that`);
};

const open = (location: string | URL, probe: string): DatabaseSync => {
  const db = new DatabaseSync(location, { readOnly: true, timeout: BUSY_TIMEOUT });
  try {
    db.prepare(probe).get();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
};
