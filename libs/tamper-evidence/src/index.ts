export { NO_HASH } from './event-hash.js';
export { withHashChain } from './hash-chain.js';
export { Frontier } from './merkle.js';
export {
  parseSeal,
  printOf,
  SEAL_AFTER,
  SEAL_EVENTS,
  SEALED,
  SEALS,
  type Seal,
  type Sealed,
  sealed,
} from './seal.js';
export { SealKey, SealPublicKey } from './seal-key.js';
export type { Fault } from './verification/fault.js';
export { type Verification, verifyLog } from './verification/verify-log.js';
