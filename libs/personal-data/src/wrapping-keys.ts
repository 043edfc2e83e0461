/** Keys of 32 bytes for one purpose, one for each master key of the process. */
export interface WrappingKeys {
  /** Encrypts. It changes while the process runs, when a rotation of the master key begins (D85). */
  readonly current: Buffer;
  /** All that decrypt: that of `MASTER_KEY` first, then that of `MASTER_KEY_PREVIOUS`. */
  readonly all: readonly Buffer[];
}
