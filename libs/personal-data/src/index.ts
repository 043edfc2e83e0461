export { withEncryptedPersonalData } from './encrypted-log.js';
export { encryptedPersonalOf } from './encrypted-personal.js';
export { decrypt } from './encryption.js';
export { eventsAbout, isAbout } from './events-about.js';
export { KEY_CACHE_TTL, KeyRing } from './key-ring.js';
export { type KeptKey, type LastSeal, PersonalKeyStore } from './ports.js';
export { Sentinel, type SentinelContent, UNFINISHED, wrappingKeyId } from './sentinel.js';
export type { WrappingKeys } from './wrapping-keys.js';
