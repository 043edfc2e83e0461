import { type CreatorId, ENCRYPTED, ERASED, type JsonValue } from '#kernel';
import { decrypt, encrypt } from './encryption.js';

/** The shape is the member with empty texts, so that a reader without the key still has all that folds rely on. */
export interface EncryptedPersonal {
  readonly encryptedFor: CreatorId;
  /** Base64; null if the event was recorded after the creator's key was destroyed: its texts were never stored. */
  readonly ciphertext: string | null;
  readonly shape: JsonValue;
}

/** The same in logs of builds up to 0.8. */
interface OlderForm {
  readonly sealedFor: CreatorId;
  readonly sealed: string | null;
  readonly shape: JsonValue;
}

export const encryptedPersonalOf = (data: object): EncryptedPersonal | undefined => {
  if (!('personal' in data)) return undefined;
  const { personal } = data;
  if (typeof personal !== 'object' || personal === null) return undefined;
  if ('encryptedFor' in personal && 'ciphertext' in personal) return personal as EncryptedPersonal;
  if (!('sealedFor' in personal && 'sealed' in personal)) return undefined;
  const { sealedFor, sealed, shape } = personal as OlderForm;
  return { encryptedFor: sealedFor, ciphertext: sealed, shape };
};

/** `context` binds it to its event. Without a key only the shape is kept. */
export const encryptPersonal = (
  personal: JsonValue,
  creatorId: CreatorId,
  key: Buffer | null,
  context: string,
): EncryptedPersonal => ({
  encryptedFor: creatorId,
  ciphertext: key && encrypt(Buffer.from(JSON.stringify(personal)), key, context).toString('base64'),
  shape: withTexts(personal, ''),
});

/** The decrypted member; stand-ins if the key was destroyed (null), is missing or is another one. */
export const decryptPersonal = (
  { ciphertext, shape }: EncryptedPersonal,
  key: Buffer | null | undefined,
  context: string,
): JsonValue => {
  if (key === null || ciphertext === null) return withTexts(shape, ERASED);
  const plain = key && decrypt(Buffer.from(ciphertext, 'base64'), key, context);
  return plain === undefined ? withTexts(shape, ENCRYPTED) : (JSON.parse(plain.toString()) as JsonValue);
};

const withTexts = (value: JsonValue, text: string): JsonValue => {
  if (typeof value === 'string') return text;
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => withTexts(item, text));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, text)]));
};
