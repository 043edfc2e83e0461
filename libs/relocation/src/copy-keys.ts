import { isDeepStrictEqual } from 'node:util';
import type { CreatorId, EventLog } from '#kernel';
import { type KeptKey, type LastSeal, type PersonalKeyStore, UNFINISHED } from '#personal-data';
import { type CopiedLog, copyLog, type LogProgress } from './copy-log.js';
import { CopyRefused, Digest } from './log-walk.js';

interface RelocatedStores {
  readonly log: EventLog;
  readonly personalKeys: PersonalKeyStore;
}

/** D106: an interrupted copy is one that nothing starts with. Each key is stored before the first event that needs it, so that a source in use may go on. */
export const copyStores = async (
  source: RelocatedStores,
  target: RelocatedStores,
  onProgress?: (progress: LogProgress) => void,
): Promise<{ readonly log: CopiedLog; readonly keys: CopiedKeys }> => {
  const lastSeal = await source.personalKeys.lastSeal();
  await requirePartOf(source.personalKeys, target.personalKeys);
  const log = await copyLog(source.log, target.log, onProgress, () => markUnfinished(target.personalKeys));
  await copyLastSeal(lastSeal, target.personalKeys);
  const keys = await copyKeys(source.personalKeys, target.personalKeys);
  return { log, keys };
};

export interface CopiedKeys {
  readonly keys: number;
  /** How many of them are destroyed keys, of which only the fact is stored. */
  readonly destroyed: number;
  /** SHA-256 over all of them, the same for both stores. */
  readonly digest: string;
}

type Entry = readonly [CreatorId, KeptKey];

const BATCH_SIZE = 500;

/**
 * Copies the creators' keys as they are stored, wrapped, so no master key is needed, and the marks of destroyed ones.
 * If the target already holds a part of the source's keys, the call copies the rest, so it can be repeated. A key that
 * was destroyed in the source is destroyed in the target too. Rejects with `CopyRefused` and `StoreUnavailable`.
 */
export const copyKeys = async (source: PersonalKeyStore, target: PersonalKeyStore): Promise<CopiedKeys> => {
  await requirePartOf(source, target);
  const sentinel = await source.sentinel();
  // Keys that the source gets during the copy are not among the copied ones.
  const sent = new Digest();
  let destroyed = 0;
  for await (const entries of inParts(source.all())) {
    await copy(entries, target);
    for (const entry of entries) sent.add(asLine(entry));
    destroyed += entries.filter(([, { status }]) => status === 'destroyed').length;
  }
  const stored = new Digest();
  for await (const entry of target.all()) stored.add(asLine(entry));
  if (`${stored}` !== `${sent}`) {
    throw new CopyRefused(
      `the target holds ${stored.lines} keys that are not the ${sent.lines} of the source: another process writes there. ` +
        'Stop the other writer, and run the same command again.',
    );
  }
  // D71: it says which master key wraps the keys. Last, because nothing starts with what is in its place before (D106).
  const isMarked = await target.replaceSentinel(UNFINISHED, sentinel);
  if (!isMarked && sentinel !== undefined) await target.addSentinel(sentinel);
  return { keys: sent.lines, destroyed, digest: `${sent}` };
};

/** D106: nothing starts with the target until `copyKeys` has ended. */
export const markUnfinished = async (target: PersonalKeyStore): Promise<void> => {
  const there = await target.sentinel();
  if (there === undefined) await target.addSentinel(UNFINISHED);
  else await target.replaceSentinel(there, UNFINISHED);
};

/** Rejects with `CopyRefused` if the target holds anything that the source lacks. */
export const requirePartOf = async (source: PersonalKeyStore, target: PersonalKeyStore): Promise<void> => {
  for await (const held of inParts(target.all())) await assertPartOf(source, held);
  const [original, there] = [await source.sentinel(), await target.sentinel()];
  if (there !== undefined && !there.equals(UNFINISHED) && original?.equals(there) !== true) {
    throw new CopyRefused(
      "the target's keys are under another master key than the source's, or the master key was changed since. Copy into " +
        'an empty one; no key was changed.',
    );
  }
};

/** D91: as it is stored, so that no master key is needed. A later seal that the target remembers stays. */
export const copyLastSeal = async (seal: LastSeal | undefined, target: PersonalKeyStore): Promise<void> => {
  if (seal === undefined) return;
  for (;;) {
    const there = await target.lastSeal();
    if (there !== undefined && (there.count > seal.count || there.signature === seal.signature)) return;
    if (await target.rememberSeal(seal, there)) return;
  }
};

const assertPartOf = async (source: PersonalKeyStore, held: readonly Entry[]): Promise<void> => {
  const originals = await source.get(held.map(([creatorId]) => creatorId));
  for (const [creatorId, there] of held) {
    const original = originals.get(creatorId);
    if (original?.status === 'destroyed' || isDeepStrictEqual(original, there)) continue;
    throw new CopyRefused(
      `the target's key of ${creatorId} is not the source's: it holds the keys of another log, or has been in use ` +
        'since. Copy into an empty one; no key was changed.',
    );
  }
};

const copy = async (entries: readonly Entry[], target: PersonalKeyStore): Promise<void> => {
  const wrapped = new Map<CreatorId, Buffer>();
  for (const [creatorId, key] of entries) if (key.status === 'kept') wrapped.set(creatorId, key.wrapped);
  if (wrapped.size > 0) await target.add(wrapped);
  for (const [creatorId, key] of entries) if (key.status === 'destroyed') await target.destroy(creatorId, key.at);
};

const asLine = ([creatorId, key]: Entry): string => {
  const content = key.status === 'kept' ? `kept ${key.wrapped.toString('base64')}` : `destroyed ${key.at}`;
  return `${creatorId} ${content}\n`;
};

async function* inParts(entries: AsyncIterable<Entry>): AsyncGenerator<readonly Entry[], void> {
  let part: Entry[] = [];
  for await (const entry of entries) {
    if (part.push(entry) < BATCH_SIZE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
