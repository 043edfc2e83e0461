import { z } from 'zod';
import { type EventLog, newestEventsOfStream, type RecordedEvent } from '#kernel';
import { SEALED, SEALS, type Sealed, type SealKey, SealPublicKey } from './seal.js';

export const KEY_CHANGED = 'seal.keyChanged.v1';

const NAMED_KEY = z.object({ id: z.string(), publicKey: z.string() });
const KEY_CHANGE = z.object({
  /** From this event on, another key signs the seals. */
  statement: z.object({ from: NAMED_KEY, to: NAMED_KEY, previous: z.string().nullable(), at: z.int() }),
  /** Ed25519 of the same bytes by both keys, in base64url: each vouches for the other (D85). */
  signatures: z.object({ from: z.string(), to: z.string() }),
});
type KeyChange = z.infer<typeof KEY_CHANGE>;

export interface KeyChanged {
  readonly type: typeof KEY_CHANGED;
  readonly data: KeyChange;
}

export const keyChanged = (
  from: SealKey,
  to: SealKey,
  { previous, at }: Pick<KeyChange['statement'], 'previous' | 'at'>,
): KeyChanged => {
  const statement = { from: nameOf(from.publicKey), to: nameOf(to.publicKey), previous, at };
  const text = signedText(statement);
  return { type: KEY_CHANGED, data: { statement, signatures: { from: from.sign(text), to: to.sign(text) } } };
};

const nameOf = ({ id, text }: SealPublicKey) => ({ id, publicKey: text });

/** The bytes under both signatures; the members are in the order of the log. */
const signedText = (statement: KeyChange['statement']): string => `seal-key.v1\n${JSON.stringify(statement)}`;

/** The two keys of a change and the seal before it, if both keys have signed it; undefined for anything else. */
export const keysOfChange = (value: unknown) => {
  if (!KEY_CHANGE.safeParse(value).success) return undefined;
  const { statement, signatures } = value as KeyChange;
  const [from, to] = [keyIn(statement.from), keyIn(statement.to)];
  if (from === undefined || to === undefined) return undefined;
  const text = signedText(statement);
  const isSigned = from.hasSigned(text, signatures.from) && to.hasSigned(text, signatures.to);
  return isSigned ? { from, to, previous: statement.previous } : undefined;
};

const keyIn = ({ id, publicKey }: KeyChange['statement']['from']): SealPublicKey | undefined => {
  const key = SealPublicKey.parse(publicKey);
  return key?.id === id && key.text === publicKey ? key : undefined;
};

/** The newest events of the stream of seals: its end, the last seal, and the key that signs from there on. */
export interface EndOfSeals {
  readonly end: RecordedEvent | undefined;
  readonly lastSeal: RecordedEvent<Sealed> | undefined;
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
