import { hash, randomFillSync } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';
import { parse, stringify, v7 as uuidv7 } from 'uuid';

declare const brand: unique symbol;
/** A string that cannot be passed for an id of another kind. */
export type Branded<Brand extends string> = string & { readonly [brand]: Brand };

/** The prefix of each kind of id (D12). */
export const ID_PREFIXES = {
  creator: 'crt',
  scan: 'scn',
  case: 'cas',
  deindexRequest: 'dix',
  event: 'evt',
  key: 'key',
  workspace: 'wsp',
  impersonation: 'imp',
  webhookEndpoint: 'whe',
  webhookDelivery: 'whd',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

type Unbranded<Value> = Value extends Branded<string> ? string : Value extends object ? Published<Value> : Value;

/** The shape in JSON, where an id is any text. */
export type Published<Shape> = { readonly [Member in keyof Shape]: Unbranded<Shape[Member]> };

export type AgencyId = Branded<'agency'>;
export type WorkspaceId = Branded<'workspace'>;
export type KeyId = Branded<'key'>;
export type CreatorId = Branded<'creator'>;
export type ScanId = Branded<'scan'>;
export type CaseId = Branded<'case'>;
export type DeindexRequestId = Branded<'deindexRequest'>;
export type PublicEventId = Branded<'event'>;
export type ImpersonationId = Branded<'impersonation'>;
export type WebhookEndpointId = Branded<'webhookEndpoint'>;
export type WebhookDeliveryId = Branded<'webhookDelivery'>;
/** The UUID of a user on the native platform, in lower case. */
export type UserId = Branded<'user'>;

const DERIVED = parse('6f2c7a53-2f0b-5c1e-9f43-6d2a4f0c8b11');

/** The platform assigns agency ids; this service does not interpret them. */
export const agencyId = (text: string) => text as AgencyId;

/** A new, time-ordered id (UUIDv7) of the given kind, such as `crt_01h…`. */
export const newId = <Kind extends IdKind>(kind: Kind) => String(typeid(ID_PREFIXES[kind])) as Branded<Kind>;

/** The same parts yield the same id (UUIDv5), so that the name of its stream is the reservation. */
export const derivedId = <Kind extends IdKind>(kind: Kind, ...parts: readonly (string | number)[]) =>
  typeIdOfBytes(kind, derivedBytes(kind, ...parts));

export const typeIdOfBytes = <Kind extends IdKind>(kind: Kind, bytes: Uint8Array) =>
  String(TypeID.fromUUIDBytes(ID_PREFIXES[kind], bytes)) as Branded<Kind>;

export const bytesOfTypeId = (id: Branded<IdKind>): Uint8Array => TypeID.fromString(id).toUUIDBytes();

export const derivedUuid = (...parts: readonly (string | number)[]): string => stringify(derivedBytes(...parts));

/** As in RFC 9562. Each part has its length as prefix, so that different lists yield different names. */
const derivedBytes = (...parts: readonly (string | number)[]): Uint8Array => {
  const name = parts.map((part) => `${String(part).length}:${part}`).join('');
  const bytes = hash('sha1', Buffer.concat([DERIVED, Buffer.from(name)]), 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
};

const RANDOM_BYTES = 16;
const random = Buffer.alloc(256 * RANDOM_BYTES);
let randomUsed = random.length;

/** The random bytes of many ids are fetched together: a call for each id would cost ten times the rest of the id. */
const randomBytesOfOne = (): Uint8Array => {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  randomUsed += RANDOM_BYTES;
  return random.subarray(randomUsed - RANDOM_BYTES, randomUsed);
};

/** A new id for an event in the log (UUIDv7). */
export const newEventId = (): string => uuidv7({ random: randomBytesOfOne() });

const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;

/** The text as an id of that kind; undefined if it is malformed or of another kind (D9). */
export const parseId = <Kind extends IdKind>(kind: Kind, text: string): Branded<Kind> | undefined => {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && SUFFIX.test(text.slice(prefix.length)) ? (text as Branded<Kind>) : undefined;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The text as a native user id, in lower case; undefined if it is not a UUID. */
export const parseUserId = (text: string): UserId | undefined =>
  UUID.test(text) ? (text.toLowerCase() as UserId) : undefined;
