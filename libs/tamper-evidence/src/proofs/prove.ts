import type { StoredEvent, StoredLog } from '#kernel';
import { hashEvent, linesOf, NO_HASH, splitHash } from '../event-hash.js';
import type { Seal, SealPublicKey } from '../seal.js';
import { readSeals } from '../verification/seal-check.js';
import { ProofTree } from './proof-tree.js';

/** The log is not what its newest checkpoint signs, or it has none. */
export class NotAsSealed extends Error {
  constructor(what: string) {
    super(what);
    this.name = 'NotAsSealed';
  }
}

/** That an event is in the log of a checkpoint. Hashes are 32 bytes in base64. */
export interface InclusionProof {
  readonly event: string;
  /** The seven lines under the event's hash. */
  readonly lines: string;
  /** Counted from 0 in the order of the log. */
  readonly index: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

/** That the log of a checkpoint begins with the first `from` events of an older one. */
export interface ConsistencyProof {
  readonly from: number;
  readonly path: readonly string[];
  readonly checkpoint: string;
}

export interface Proofs {
  readonly events: readonly InclusionProof[];
  /** The given ids that no event up to the checkpoint has. */
  readonly missing: readonly string[];
  readonly consistency: ConsistencyProof | undefined;
}

/**
 * Proves the events with these ids, and that the log extends `from`, by the newest checkpoint that one of the keys has
 * signed. Reads the log once; memory grows with the number of proofs only. Throws `NotAsSealed`.
 */
export const prove = async (
  log: StoredLog,
  key: SealPublicKey,
  ids: ReadonlySet<string>,
  { from, trusted }: { readonly from?: Seal | undefined; readonly trusted?: readonly SealPublicKey[] } = {},
): Promise<Proofs> => {
  const { checkpoint, statement } = await newestCheckpoint(log, key, trusted);
  if (from !== undefined && from.statement.count > statement.count)
    throw new NotAsSealed(
      `the kept seal covers ${from.statement.count} events, the newest checkpoint ${statement.count}`,
    );

  const tree = new ProofTree(statement.count);
  const start = from === undefined ? undefined : new ProofTree(from.statement.count);
  if (from !== undefined) tree.wantConsistency(from.statement.count);
  const found: { readonly event: StoredEvent; readonly index: number }[] = [];
  let index = 0;
  for await (const page of log.pages()) {
    for (const record of page) {
      if (index === tree.size) break;
      if (!('json' in record)) throw new NotAsSealed(`event ${index + 1} of the log cannot be read`);
      const isWanted = ids.has(record.id);
      if (isWanted) found.push({ event: record, index });
      const hash = splitHash(record.json.metadata)?.hash ?? NO_HASH;
      tree.add(hash, isWanted);
      start?.add(hash, false);
      index++;
    }
    if (index === tree.size) break;
  }
  if (index < tree.size || tree.root().toString('base64url') !== statement.root)
    throw new NotAsSealed(`the first ${statement.count} events of the log are not those of its newest checkpoint`);
  if (start !== undefined && start.root().toString('base64url') !== from?.statement.root)
    throw new NotAsSealed(`the first ${start.size} events of the log are not those of the kept seal`);

  const events: InclusionProof[] = [];
  for (const { event, index: at } of found)
    events.push({
      event: event.id,
      lines: await hashedLines(log, event),
      index: at,
      path: texts(tree.inclusionOf(at)),
      checkpoint,
    });
  const proven = new Set(events.map(({ event }) => event));
  return {
    events,
    missing: [...ids].filter((id) => !proven.has(id)),
    consistency: start && { from: start.size, path: texts(tree.consistencyFrom(start.size)), checkpoint },
  };
};

/** The newest checkpoint that one of the keys has signed, with its statement and its key. Throws `NotAsSealed`. */
export const newestCheckpoint = async (log: StoredLog, key: SealPublicKey, trusted: readonly SealPublicKey[] = []) => {
  const { seals, keys } = await readSeals(log, key, trusted);
  for (const { seal, problem } of seals.toReversed()) {
    const { statement, checkpoint } = seal;
    const signer = keys.get(statement.key);
    if (problem === undefined && checkpoint !== undefined && signer !== undefined)
      return { checkpoint, statement, signer };
  }
  throw new NotAsSealed('the log has no checkpoint');
};

const texts = (hashes: readonly Buffer[]): string[] => hashes.map((bytes) => bytes.toString('base64'));

const hashedLines = async (log: StoredLog, { id, type, stream, revision, json }: StoredEvent): Promise<string> => {
  const [before] = revision === 0 ? [] : await log.stream(stream, revision - 1, 1);
  const previous = before !== undefined && 'json' in before ? splitHash(before.json.metadata)?.hash : undefined;
  const split = splitHash(json.metadata);
  const text = { id, type, json: { data: json.data, metadata: split?.metadata ?? '' } };
  if (split?.hash !== hashEvent(text, stream, revision, previous ?? NO_HASH))
    throw new NotAsSealed(`the event ${id} is not what its hash covers`);
  return linesOf(text, stream, revision, previous ?? NO_HASH);
};

/** A proof of one event as a C2SP tlog-proof; its extra data are the hashed lines. */
export const proofText = ({ lines, index, path, checkpoint }: InclusionProof): string =>
  [
    'c2sp.org/tlog-proof@v1',
    `extra ${Buffer.from(lines).toString('base64')}`,
    `index ${index}`,
    ...path,
    '',
    checkpoint,
  ].join('\n');

/** The body with which a witness is asked to sign the checkpoint (C2SP tlog-witness, `add-checkpoint`). */
export const consistencyText = ({ from, path, checkpoint }: ConsistencyProof): string =>
  [`old ${from}`, ...path, '', checkpoint].join('\n');
