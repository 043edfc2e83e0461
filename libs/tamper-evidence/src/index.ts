export { OtherOrigin, originOf, verifierKey } from './checkpoint.js';
export { withHashChain } from './hash-chain.js';
export {
  endOfSeals,
  sealKeyInForce,
} from './key-change.js';
export type { RememberedSeal } from './last-seals.js';
export { LastSeals, type SealMemory, SealsMissing } from './last-seals.js';
export { consistencyText, NotAsSealed, newestCheckpoint, type Proofs, proofText, prove } from './proofs/prove.js';
export { parseSeal, SEALED, SEALS, type Seal, type Sealed, SealKey, type SealKeys, SealPublicKey } from './seal.js';
export { SealTask } from './seal-task.js';
export { Sealing } from './sealing.js';
export type { Fault } from './verification/fault.js';
export { type Verification, verifyLog } from './verification/verify-log.js';
