import { type CreatorId, ENCRYPTED, ERASED, type JsonValue } from '#kernel';
import { open, seal } from './sealing.js';

/**
 * The `personal` member of an event's data as it is stored. The shape is the member with its texts emptied: so a reader
 * without the key still has all members that folds rely on.
 */
export interface SealedPersonal {
  readonly sealedFor: CreatorId;
  /** Base64; null for one that came after the creator's key was destroyed, and whose texts were never kept. */
  readonly sealed: string | null;
  readonly shape: JsonValue;
}

export const isSealed = (personal: unknown): personal is SealedPersonal =>
  typeof personal === 'object' && personal !== null && 'sealedFor' in personal && 'sealed' in personal;

/** `context` binds it to its event. Without a key only the shape is kept. */
export const sealPersonal = (
  personal: JsonValue,
  creatorId: CreatorId,
  key: Buffer | null,
  context: string,
): SealedPersonal => ({
  sealedFor: creatorId,
  sealed: key && seal(Buffer.from(JSON.stringify(personal)), key, context).toString('base64'),
  shape: withTexts(personal, ''),
});

/** What was sealed; stand-ins where the key was destroyed (null), is not here or does not fit. */
export const openPersonal = (
  { sealed, shape }: SealedPersonal,
  key: Buffer | null | undefined,
  context: string,
): JsonValue => {
  if (key === null || sealed === null) return withTexts(shape, ERASED);
  const plain = key && open(Buffer.from(sealed, 'base64'), key, context);
  return plain === undefined ? withTexts(shape, ENCRYPTED) : (JSON.parse(plain.toString()) as JsonValue);
};

const withTexts = (value: JsonValue, text: string): JsonValue => {
  if (typeof value === 'string') return text;
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withTexts(item, text));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, text)]));
};
