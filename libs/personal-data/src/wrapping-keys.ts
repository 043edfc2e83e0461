/** Keys of 32 bytes for one purpose, one for each master key of the process. */
export interface WrappingKeys {
  /** The key that encrypts. It changes while the process runs, when a rotation of the master key begins (D85). */
  readonly current: Buffer;
  /** All keys that decrypt: that of `MASTER_KEY` first, then that of `MASTER_KEY_PREVIOUS`. */
  readonly all: readonly Buffer[];
}
