export { withEncryptedPersonalData } from './encrypted-log.js';
export { encryptedPersonalOf } from './encrypted-personal.js';
export { decrypt, encrypt } from './encryption.js';
export { eventsAbout, isAbout } from './events-about.js';
export { KEY_CACHE_TTL, KeyRing } from './key-ring.js';
export type { WrappingKeys } from './ports.js';
export { type KeptKey, type LastSeal, PersonalKeyStore } from './ports.js';
export { Sentinel, type SentinelContent, UNFINISHED, wrappingKeyId } from './sentinel.js';
