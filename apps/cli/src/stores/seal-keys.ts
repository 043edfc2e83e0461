import { existsSync } from 'node:fs';
import { type Config, readConfig } from '#configuration';
import { invalidRequest } from '#kernel';
import { configuredSealKey, configuredSealKeys } from '#stores';
import { SealPublicKey } from '#tamper-evidence';
import { asPath } from '../arguments.js';
import { readTextFile } from '../given-file.js';

export interface VerifyingKeys {
  readonly key: SealPublicKey;
  /** The keys of this installation, of which there are two during a rotation of its master key (D85). */
  readonly trusted: readonly SealPublicKey[];
}

/** The key that verifies this installation's seals. */
export const ownPublicKey = (environment: NodeJS.ProcessEnv): SealPublicKey =>
  configuredSealKey(readConfig(environment)).publicKey;

/** The given key of the seals, as a file or as text; otherwise this installation's own, for its own log. */
export const publicKeyFor = (config: Config, given: string | undefined, log: string | undefined): VerifyingKeys => {
  if (given !== undefined) return { key: asPublicKey(given), trusted: [] };
  if (log !== undefined) throw invalidRequest({ field: '--public-key', message: 'is required with --log' });
  const [own, ...trusted] = configuredSealKeys(config).map(({ publicKey }) => publicKey);
  if (own === undefined) throw new Error('an installation has a key');
  return { key: own, trusted };
};

const asPublicKey = (fileOrKey: string): SealPublicKey => {
  const file = asPath(fileOrKey);
  const key = SealPublicKey.parse(existsSync(file) ? readTextFile(file) : fileOrKey);
  if (key === undefined) {
    throw invalidRequest({ field: '--public-key', message: 'must be an Ed25519 key: base64url or PEM' });
  }
  return key;
};
