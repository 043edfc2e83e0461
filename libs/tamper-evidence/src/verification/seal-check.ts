import type { StoredEvent, StoredLog, StoredRecord } from '#kernel';
import { openedCheckpoint } from '../checkpoint.js';
import { KEY_CHANGED, keysOfChange } from '../key-change.js';
import { Frontier } from '../merkle.js';
import {
  isSignedBy,
  LOSS_ACCEPTED,
  parseSeal,
  SEALED,
  SEALS,
  type Seal,
  type SealPublicKey,
  type SealStatement,
} from '../seal.js';

const EVENTS_PER_PAGE = 10;

export interface CheckedSeal {
  readonly seal: Seal;
  readonly event: { readonly id: string; readonly revision: number } | undefined;
  readonly problem: string | undefined;
}

export interface CheckedSeals {
  readonly seals: readonly CheckedSeal[];
  readonly problems: ReadonlyMap<string, string>;
  /** The given key, and those that a chain of changes connects with it (D85). */
  readonly keys: SealKeyring;
  /** The ids of the events that accept a loss of seals (D91). */
  readonly acceptedLosses: readonly string[];
}

/**
 * The seals of the log in order, each checked alone and against the previous one. The hash chain finds records that
 * are not seals.
 */
export const readSeals = async (
  log: StoredLog,
  key: SealPublicKey,
  trusted: readonly SealPublicKey[] = [],
): Promise<CheckedSeals> => {
  const keys = new SealKeyring(key, trusted);
  for await (const event of sealEvents(log)) if (event.type === KEY_CHANGED) keys.add(keysOfChange(dataOf(event)));

  const seals: CheckedSeal[] = [];
  const problems = new Map<string, string>();
  const acceptedLosses: string[] = [];
  for await (const event of sealEvents(log)) {
    const { id, revision } = event;
    const seal = sealIn(event);
    const before = seals.at(-1);
    const problem =
      event.type === KEY_CHANGED ? keys.change(dataOf(event), before) : seal && problemInLog(seal, keys, before);
    if (event.type === LOSS_ACCEPTED) acceptedLosses.push(id);
    if (seal !== undefined) seals.push({ seal, event: { id, revision }, problem });
    if (problem !== undefined) problems.set(id, problem);
    else if (seal !== undefined) keys.inForce ??= seal.statement.key;
  }
  return { seals, problems, keys, acceptedLosses };
};

const problemInLog = (seal: Seal, keys: SealKeyring, before: CheckedSeal | undefined): string | undefined => {
  const { previous } = seal.statement;
  if (before === undefined && previous !== null) return `the log lacks the seal ${previous} before it`;
  return problemOf(seal, keys, before);
};

async function* sealEvents(log: StoredLog): AsyncGenerator<StoredEvent> {
  for (let from = 0; ; ) {
    const records = await log.stream(SEALS, from, EVENTS_PER_PAGE);
    const events = records.filter(isEvent);
    yield* events;
    const last = events.at(-1);
    if (records.length < EVENTS_PER_PAGE || last === undefined) return;
    from = last.revision + 1;
  }
}

type KeyPair = NonNullable<ReturnType<typeof keysOfChange>>;

/** The keys that are accepted because a verifier knows one of them, and the one that has to sign next. */
class SealKeyring {
  /** The id of the key that has signed up to here; undefined before the first seal. */
  inForce: string | undefined;
  private readonly accepted: Map<string, SealPublicKey>;
  private readonly changes: KeyPair[] = [];

  constructor(
    readonly given: SealPublicKey,
    trusted: readonly SealPublicKey[],
  ) {
    this.accepted = new Map([given, ...trusted].map((key) => [key.id, key]));
  }

  get all(): ReadonlyMap<string, SealPublicKey> {
    return this.accepted;
  }

  /** Each of the two keys vouches for the other, in any order of the changes. */
  add(change: KeyPair | undefined): void {
    if (change === undefined) return;
    this.changes.push(change);
    for (let grows = true; grows; ) {
      const known = this.accepted.size;
      for (const { from, to } of this.changes) {
        if (this.accepted.has(from.id)) this.accepted.set(to.id, to);
        if (this.accepted.has(to.id)) this.accepted.set(from.id, from);
      }
      grows = this.accepted.size > known;
    }
  }

  get(id: string): SealPublicKey | undefined {
    return this.accepted.get(id);
  }

  /** Follows a change of the key in the log; returns its fault. */
  change(data: unknown, before: CheckedSeal | undefined): string | undefined {
    const change = keysOfChange(data);
    if (change === undefined) return 'it is not signed by both of the keys that it names';
    if (!this.accepted.has(change.from.id))
      return `it changes the key ${change.from.id}, which ${this.given.id} does not vouch for`;
    if ((this.inForce ?? change.from.id) !== change.from.id)
      return `it changes the key ${change.from.id}, but ${this.inForce} was in use`;
    if (change.previous !== (before?.event?.id ?? null)) return 'it does not name the seal before it';
    this.inForce = change.to.id;
    return undefined;
  }
}

/** The prints of the events that a seal covers and the previous one does not. */
export const printsOf = async (log: StoredLog, revision: number): Promise<string> => {
  const [record] = await log.stream(SEALS, revision, 1);
  const data = record !== undefined && isEvent(record) ? dataOf(record) : undefined;
  const prints = typeof data === 'object' && data !== null && 'prints' in data ? data.prints : undefined;
  return typeof prints === 'string' ? prints : '';
};

export const problemOf = (
  { statement, signature, checkpoint }: Seal,
  keys: Pick<SealKeyring, 'get' | 'given' | 'inForce'>,
  before?: CheckedSeal,
): string | undefined => {
  const key = keys.get(statement.key);
  const expected = before === undefined ? undefined : keys.inForce;
  if (key === undefined || (expected !== undefined && expected !== key.id)) {
    return `it is signed with the key ${statement.key}, not with ${expected ?? keys.given.id}`;
  }
  if (!isSignedBy({ statement, signature }, key)) return 'its signature is not that of the key';
  if (!isRootOfFrontier(statement)) return 'its root is not that of its subtrees';
  if (checkpoint !== undefined) {
    const { size, root } = openedCheckpoint(checkpoint, key) ?? {};
    if (size !== statement.count || root !== statement.root) return 'its checkpoint is not that of its statement';
  }
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
  // Ignores members that a newer service adds to a seal.
  return seal && { statement: seal.statement, signature: seal.signature, checkpoint: seal.checkpoint };
};

const dataOf = (event: StoredEvent): unknown => {
  try {
    return JSON.parse(event.json.data);
  } catch {
    return undefined;
  }
};
