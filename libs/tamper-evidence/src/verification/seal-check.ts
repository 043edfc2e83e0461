import type { StoredEvent, StoredLog, StoredRecord } from '#kernel';
import { Frontier } from '../merkle.js';
import { isSignedBy, parseSeal, SEALED, SEALS, type Seal, type SealStatement } from '../seal.js';
import type { SealPublicKey } from '../seal-key.js';

const PAGE = 10;

/** A seal of the log, or one that was kept elsewhere, with what is wrong with it. */
export interface CheckedSeal {
  readonly seal: Seal;
  /** Event id and revision of a seal of the log. */
  readonly event: { readonly id: string; readonly revision: number } | undefined;
  readonly problem: string | undefined;
}

/**
 * The seals that the log holds, in order, each checked by itself and against the one before. What is no seal at all is
 * for the hash chain to find.
 */
export const readSeals = async (log: StoredLog, key: SealPublicKey): Promise<CheckedSeal[]> => {
  const seals: CheckedSeal[] = [];
  for (let from = 0; ; ) {
    const records = await log.stream(SEALS, from, PAGE);
    for (const event of records.filter(isEvent)) {
      const seal = sealIn(event);
      if (seal === undefined) continue;
      const { id, revision } = event;
      seals.push({ seal, event: { id, revision }, problem: problemOf(seal, key, seals.at(-1)) });
    }
    const last = records.filter(isEvent).at(-1);
    if (records.length < PAGE || last === undefined) return seals;
    from = last.revision + 1;
  }
};

/** The prints of the events that a seal covers more than the one before. */
export const printsOf = async (log: StoredLog, revision: number): Promise<string> => {
  const [record] = await log.stream(SEALS, revision, 1);
  const data = record !== undefined && isEvent(record) ? dataOf(record) : undefined;
  const prints = typeof data === 'object' && data !== null && 'prints' in data ? data.prints : undefined;
  return typeof prints === 'string' ? prints : '';
};

/** What is wrong with a seal, whoever kept it. */
export const problemOf = (
  { statement, signature }: Seal,
  key: SealPublicKey,
  before?: CheckedSeal,
): string | undefined => {
  if (statement.key !== key.id) return `it is signed with the key ${statement.key}, not with ${key.id}`;
  if (!isSignedBy({ statement, signature }, key)) return 'its signature is not that of the key';
  if (!isRootOfFrontier(statement)) return 'its root is not that of its subtrees';
  if (before === undefined) return undefined;
  if (statement.previous !== (before.event?.id ?? null)) return 'it does not name the seal before it';
  if (statement.count <= before.seal.statement.count) return 'it covers no more than the seal before it';
  return statement.at < before.seal.statement.at ? 'its time is before that of the seal before it' : undefined;
};

const isRootOfFrontier = ({ count, frontier, root }: SealStatement): boolean =>
  Frontier.of(count, frontier)?.root() === root;

const isEvent = (record: StoredRecord): record is StoredEvent => 'json' in record;

const sealIn = (event: StoredEvent): Seal | undefined => {
  const seal = event.type === SEALED ? parseSeal(dataOf(event)) : undefined;
  // What the service writes later into a seal is not for this verifier to keep.
  return seal && { statement: seal.statement, signature: seal.signature };
};

const dataOf = (event: StoredEvent): unknown => {
  try {
    return JSON.parse(event.json.data);
  } catch {
    return undefined;
  }
};
