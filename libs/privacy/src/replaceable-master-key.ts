import type { SealKey } from '#tamper-evidence';

/** The master key of this process. */
export abstract class ReplaceableMasterKey {
  /** The key that a rotation replaces, or null where there is none. */
  abstract readonly previous: { readonly sealKey: SealKey } | null;
  /** 0 encrypts with `MASTER_KEY`, 1 with `MASTER_KEY_PREVIOUS`. */
  abstract encryptWith(index: number): void;
}
