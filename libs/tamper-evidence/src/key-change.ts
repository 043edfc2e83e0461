import { type EventLog, type Instant, newestEventsOfStream, type RecordedEvent } from '#kernel';
import { membersOf, SEALED, SEALS, type Sealed } from './seal.js';
import { type SealKey, SealPublicKey } from './seal-key.js';

export const KEY_CHANGED = 'seal.keyChanged.v1';

/** One of the two keys: its id, and the 32 bytes of the public half in base64url. */
interface NamedKey {
  readonly id: string;
  readonly publicKey: string;
}

/** From this event on, another key signs the seals. */
export interface KeyChangeStatement {
  readonly from: NamedKey;
  readonly to: NamedKey;
  /** The event id of the previous seal, or null. */
  readonly previous: string | null;
  readonly at: Instant;
}

export interface KeyChange {
  readonly statement: KeyChangeStatement;
  /** Ed25519 of the same bytes by both keys, in base64url: each vouches for the other (D85). */
  readonly signatures: { readonly from: string; readonly to: string };
}

export interface KeyChanged {
  readonly type: typeof KEY_CHANGED;
  readonly data: KeyChange;
}

export const keyChanged = (
  from: SealKey,
  to: SealKey,
  { previous, at }: Pick<KeyChangeStatement, 'previous' | 'at'>,
): KeyChanged => {
  const statement = { from: nameOf(from.publicKey), to: nameOf(to.publicKey), previous, at };
  const text = signedText(statement);
  return { type: KEY_CHANGED, data: { statement, signatures: { from: from.sign(text), to: to.sign(text) } } };
};

const nameOf = ({ id, text }: SealPublicKey): NamedKey => ({ id, publicKey: text });

/** The bytes under both signatures; the members are in the order of the log. */
const signedText = (statement: KeyChangeStatement): string => `seal-key.v1\n${JSON.stringify(statement)}`;

/** The two keys of a change, if both have signed it; undefined for anything else. */
export const keysOfChange = (
  value: unknown,
): { readonly from: SealPublicKey; readonly to: SealPublicKey } | undefined => {
  const { statement, signatures } = membersOf(value);
  const [from, to] = [keyIn(membersOf(statement).from), keyIn(membersOf(statement).to)];
  const { from: fromSignature, to: toSignature } = membersOf(signatures);
  if (from === undefined || to === undefined) return undefined;
  if (typeof fromSignature !== 'string' || typeof toSignature !== 'string') return undefined;
  const text = signedText(statement as KeyChangeStatement);
  return from.hasSigned(text, fromSignature) && to.hasSigned(text, toSignature) ? { from, to } : undefined;
};

/** The event id of the seal before the change, as the event names it. */
export const previousOf = (value: unknown): unknown => membersOf(membersOf(value).statement).previous;

const keyIn = (value: unknown): SealPublicKey | undefined => {
  const { id, publicKey } = membersOf(value);
  const key = typeof publicKey === 'string' ? SealPublicKey.parse(publicKey) : undefined;
  return key?.id === id && key?.text === publicKey ? key : undefined;
};

/** The newest events of the stream of seals: its end, the last seal, and the key that signs from there on. */
export interface EndOfSeals {
  readonly end: RecordedEvent | undefined;
  readonly lastSeal: RecordedEvent<Sealed> | undefined;
  /** The id of the key; undefined if nothing has been sealed. */
  readonly keyId: string | undefined;
}

export const endOfSeals = async (log: Pick<EventLog, 'readStream'>): Promise<EndOfSeals> => {
  let end: RecordedEvent | undefined;
  let keyId: string | undefined;
  for await (const event of newestEventsOfStream(log, SEALS, 1)) {
    end ??= event;
    keyId ??= keyNamedBy(event as RecordedEvent<Sealed | KeyChanged>);
    if (event.type === SEALED) return { end, lastSeal: event as RecordedEvent<Sealed>, keyId };
  }
  return { end, lastSeal: undefined, keyId };
};

const keyNamedBy = ({ type, data }: Sealed | KeyChanged): string | undefined => {
  if (type === SEALED) return data.statement.key;
  return type === KEY_CHANGED ? data.statement.to.id : undefined;
};

export const sealKeyInForce = async (log: Pick<EventLog, 'readStream'>): Promise<string | undefined> =>
  (await endOfSeals(log)).keyId;
