import type { Config } from '#configuration';
import type { SealKey } from '#tamper-evidence';
import { existingMasterKey } from './master-key.js';
import { MasterKeys } from './master-keys.js';

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
