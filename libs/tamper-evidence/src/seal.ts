import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { MINUTE, type RecordedEvent, streamName } from '#kernel';
import type { EventHash } from './event-hash.js';
import type { Frontier } from './merkle.js';

/** The bytes before the 32 bytes of an Ed25519 key in DER (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const RAW = /^[A-Za-z0-9_-]{43}$/;

/** The key that verifies seals: Ed25519, 32 bytes in base64url. */
export class SealPublicKey {
  private constructor(
    readonly text: string,
    private readonly key: KeyObject,
  ) {}

  /** From 32 bytes in base64url, or from PEM (SPKI); undefined for anything else. */
  static parse(text: string): SealPublicKey | undefined {
    const trimmed = text.trim();
    try {
      const key = RAW.test(trimmed)
        ? createPublicKey({
            key: Buffer.concat([SPKI, Buffer.from(trimmed, 'base64url')]),
            format: 'der',
            type: 'spki',
          })
        : createPublicKey(trimmed);
      return key.asymmetricKeyType === 'ed25519' ? SealPublicKey.of(key) : undefined;
    } catch {
      return undefined;
    }
  }

  static of(key: KeyObject): SealPublicKey {
    return new SealPublicKey(key.export({ format: 'jwk' }).x ?? '', key);
  }

  /** 16 characters: short enough to be named in a seal and compared by eye. */
  get id(): string {
    return hash('sha256', Buffer.from(this.text, 'base64url'), 'hex').slice(0, 16);
  }

  get pem(): string {
    return String(this.key.export({ format: 'pem', type: 'spki' }));
  }

  /** Several texts decode to the same bytes; only the one that encodes them is a signature. */
  hasSigned(text: string, signature: string): boolean {
    const bytes = Buffer.from(signature, 'base64url');
    return bytes.toString('base64url') === signature && verify(null, Buffer.from(text), this.key, bytes);
  }
}

export class SealKey {
  readonly publicKey: SealPublicKey;
  private readonly key: KeyObject;

  /** `seed` is 32 secret bytes. The same seed gives the same key. */
  constructor(seed: Buffer) {
    this.key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
    this.publicKey = SealPublicKey.of(createPublicKey(this.key));
  }

  sign(text: string): string {
    return sign(null, Buffer.from(text), this.key).toString('base64url');
  }
}

/** The keys that an installation may sign with: during a rotation of the master key there are two (D85). */
export interface SealKeys {
  readonly current: SealKey;
  /** The log's last seal, or the last change of the key, determines which of them signs the next one. */
  readonly all: readonly SealKey[];
}

export const SEALS = streamName('seal', 'log');
export const SEALED = 'seal.sealed.v1';

/** D91: an operator accepts that the log lacks seals. `metadata.actor` says who. */
export const LOSS_ACCEPTED = 'seal.lossAccepted.v1';

export interface LossAccepted {
  readonly type: typeof LOSS_ACCEPTED;
  readonly data: { readonly lost: { readonly id: string; readonly count: number; readonly root: string } };
}

/** The most events that a seal covers beyond the previous one. */
export const SEAL_EVENTS = 10_000;
/** The longest time that an event waits for its seal. It leaves a new worker time to take over. */
export const SEAL_AFTER = 55 * MINUTE;

/** The signed statement: what the log holds from its first event up to one of them. */
const STATEMENT = z.object({
  /** How many events, in the order of the log. */
  count: z.int().positive(),
  through: z.object({ id: z.string(), stream: z.string(), revision: z.int() }),
  /** Root of the Merkle tree of their hashes, and the complete subtrees that it is made of. */
  root: z.string(),
  frontier: z.array(z.string()),
  /** The event id of the previous seal. */
  previous: z.string().nullable(),
  at: z.int(),
  key: z.string(),
});
export type SealStatement = z.infer<typeof STATEMENT>;

/** The signature is Ed25519 in base64url. */
const SEAL = z.object({
  statement: STATEMENT,
  signature: z.string(),
  /** The same as a note (C2SP tlog-checkpoint); seals of older builds have none. */
  checkpoint: z.string().optional(),
});
/** A seal outside the log, to be stored elsewhere. */
export type Seal = z.infer<typeof SEAL>;

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
  return { type: SEALED, data: { statement, signature: key.sign(signedText(statement)), prints: prints.join('') } };
};

/** The signed bytes. The members are in the order of the log. */
const signedText = (statement: SealStatement): string => `seal.v1\n${JSON.stringify(statement)}`;

export const isSignedBy = ({ statement, signature }: Seal, key: SealPublicKey): boolean =>
  key.hasSigned(signedText(statement), signature);

/** The seal that is in a value from outside, as it is there, or undefined. */
export const parseSeal = (value: unknown): Seal | undefined =>
  SEAL.safeParse(value).success ? (value as Seal) : undefined;
