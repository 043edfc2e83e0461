import type { Config } from '#configuration';
import type { WrappingKeys } from '#personal-data';
import { SealKey, type SealKeys } from '#tamper-evidence';
import { derivedKey, existingMasterKey } from './master-key.js';

/** During a rotation of the master key, the keys of both, that of `MASTER_KEY` first (D85). Throws `MissingKeys`. */
export const configuredSealKeys = ({
  masterKey,
  previousMasterKey,
  dataDir,
}: Pick<Config, 'masterKey' | 'dataDir'> & Partial<Pick<Config, 'previousMasterKey'>>): readonly SealKey[] =>
  new MasterKeys(masterKey ?? existingMasterKey(dataDir, ', or give --public-key'), previousMasterKey).sealKeys.all;

/** The key of an installation's seals: all its processes derive the same one. Throws `MissingKeys`. */
export const configuredSealKey = ({ masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>): SealKey =>
  new MasterKeys(masterKey ?? existingMasterKey(dataDir)).sealKeys.current;

/**
 * The master keys of a process: the configured one, and the previous one until a rotation has ended (D85). The sentinel
 * of the key store says which of them encrypts.
 */
export class MasterKeys {
  private encrypting = 0;
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(current: Buffer, previous?: Buffer) {
    this.keys = previous === undefined ? [current] : [current, previous];
  }

  /** 0 for `MASTER_KEY`, 1 for `MASTER_KEY_PREVIOUS`. */
  encryptWith(index: number): void {
    if (this.keys[index] === undefined) throw new RangeError(`there is no master key with index ${index}`);
    this.encrypting = index;
  }

  /** The key that a rotation replaces, or null where there is none (D85). */
  get previous(): { readonly sealKey: SealKey } | null {
    const sealKey = this.sealKeys.all[1];
    return sealKey === undefined ? null : { sealKey };
  }

  /** The keys for one purpose, of which the same index encrypts. */
  derived(purpose: string): WrappingKeys {
    return this.each((key) => derivedKey(key, purpose));
  }

  get sealKeys(): SealKeys {
    return this.each((key) => new SealKey(derivedKey(key, 'seals of the event log')));
  }

  private each<Derived>(derive: (key: Buffer) => Derived): { readonly current: Derived; readonly all: Derived[] } {
    const all = this.keys.map(derive);
    const encrypting = () => this.encrypting;
    return {
      get current() {
        return all[encrypting()] as Derived;
      },
      all,
    };
  }
}
