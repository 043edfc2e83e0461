import { SealKey } from '#tamper-evidence';
import type { Config } from './config.js';
import { derivedKey, storedMasterKey } from './master-key.js';

/** The key of an installation's seals: all its processes derive the same one. */
export const sealKeyOf = (masterKey: Buffer): SealKey => new SealKey(derivedKey(masterKey, 'seals of the event log'));

export const configuredSealKey = ({ masterKey, dataDir }: Pick<Config, 'masterKey' | 'dataDir'>): SealKey =>
  sealKeyOf(masterKey ?? storedMasterKey(dataDir));
