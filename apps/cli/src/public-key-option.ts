import { existsSync, readFileSync } from 'node:fs';
import { invalidRequest } from '#kernel';
import { SealPublicKey } from '#tamper-evidence';
import type { Config } from '../../composition/src/config.js';
import { configuredSealKey } from '../../composition/src/seal-key.js';

/** The key of the seals that was given, as a file or as text; else this installation's own, for its own log. */
export const publicKeyFor = (config: Config, given: string | undefined, log: string | undefined): SealPublicKey => {
  if (given !== undefined) return asPublicKey(given);
  if (log === undefined) return configuredSealKey(config).publicKey;
  throw invalidRequest({ field: 'public-key', message: 'is needed with a log from elsewhere' });
};

const asPublicKey = (fileOrKey: string): SealPublicKey => {
  const key = SealPublicKey.parse(existsSync(fileOrKey) ? readFileSync(fileOrKey, 'utf8') : fileOrKey);
  if (key === undefined) {
    throw invalidRequest({ field: 'public-key', message: 'must be an Ed25519 key: base64url or PEM' });
  }
  return key;
};
