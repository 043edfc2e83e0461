import { type Instant, MINUTE, type RecordedEvent, type Revision, streamName } from '#kernel';
import type { EventHash } from './event-hash.js';
import type { Frontier } from './merkle.js';
import type { SealKey, SealPublicKey } from './seal-key.js';

export const SEALS = streamName('seal', 'log');
export const SEALED = 'seal.sealed.v1';

/** D91: an operator accepts that the log lacks seals. `metadata.actor` says who. */
export const LOSS_ACCEPTED = 'seal.lossAccepted.v1';

export interface LossAccepted {
  readonly type: typeof LOSS_ACCEPTED;
  /** The seal that the key store remembered. */
  readonly data: { readonly lost: { readonly id: string; readonly count: number; readonly root: string } };
}

/** The most events that a seal covers beyond the previous one. */
export const SEAL_EVENTS = 10_000;
/** The longest time that an event waits for its seal. It leaves a new worker time to take over. */
export const SEAL_AFTER = 55 * MINUTE;

/** The signed statement: what the log holds from its first event up to one of them. */
export interface SealStatement {
  /** How many events, in the order of the log. */
  readonly count: number;
  /** The last of them. */
  readonly through: { readonly id: string; readonly stream: string; readonly revision: Revision };
  /** Root of the Merkle tree of their hashes, and the complete subtrees that it is made of. */
  readonly root: string;
  readonly frontier: readonly string[];
  /** The event id of the previous seal. */
  readonly previous: string | null;
  readonly at: Instant;
  readonly key: string;
}

/** A seal outside the log, to be stored elsewhere. */
export interface Seal {
  readonly statement: SealStatement;
  /** Ed25519 in base64url. */
  readonly signature: string;
}

export interface Sealed {
  readonly type: typeof SEALED;
  readonly data: Seal & {
    /** The first four characters of the hash of each event since the previous seal. Not signed; they locate a fault. */
    readonly prints: string;
  };
}

export type SealedEvent = Pick<RecordedEvent<Sealed>, 'id' | 'data'>;

export const PRINT = 4;
export const printOf = (eventHash: EventHash): string => eventHash.slice(0, PRINT);

export const sealed = (
  frontier: Frontier,
  prints: readonly string[],
  { through, previous, at }: Pick<SealStatement, 'through' | 'previous' | 'at'>,
  key: SealKey,
): Sealed => {
  const statement: SealStatement = {
    count: frontier.count,
    through,
    root: frontier.root(),
    frontier: frontier.hashes(),
    previous,
    at,
    key: key.publicKey.id,
  };
  return {
    type: SEALED,
    data: { statement, signature: key.sign(signedText(statement)), prints: prints.join('') },
  };
};

/** The signed bytes. The members are in the order of the log. */
const signedText = (statement: SealStatement): string => `seal.v1\n${JSON.stringify(statement)}`;

export const isSignedBy = ({ statement, signature }: Seal, key: SealPublicKey): boolean =>
  key.hasSigned(signedText(statement), signature);

/** The seal that is in a value from outside, or undefined. */
export const parseSeal = (value: unknown): Seal | undefined => {
  const { statement, signature } = membersOf(value);
  const { count, through, root, frontier, previous, at, key } = membersOf(statement);
  const { id, stream, revision } = membersOf(through);
  const isSeal =
    [count, revision, at].every(Number.isSafeInteger) &&
    [signature, root, key, id, stream].every(isText) &&
    (previous === null || isText(previous)) &&
    Array.isArray(frontier) &&
    frontier.every(isText);
  return isSeal ? (value as Seal) : undefined;
};

/** The members of a value from outside; none if it is no object. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const isText = (value: unknown): value is string => typeof value === 'string';
