import type { Identity } from './creator.state.js';
import { keptIdentity, mergedIdentity } from './identity/identity.js';

export const MAX_VARIANTS_PER_HANDLE = 2;
export const MIN_VARIANT_LENGTH = 2;
export const MAX_VARIANT_LENGTH = 60;

export interface Handle {
  readonly platform: string;
  readonly username: string;
  readonly variants: readonly string[];
}

/**
 * What a scan searches for: each account, with the first two aliases that are usable spellings of it (D34). An identity
 * that is not written to the platform yet comes after what the platform has.
 */
export const scanHandles = (identity: Identity, toWrite: Identity | null = null): Handle[] => {
  const { aliases, profiles } = keptIdentity(toWrite === null ? identity : mergedIdentity(identity, toWrite));
  const usable = aliases.filter(isUsable);
  return profiles.map(({ platform, username }) => {
    const same = username.toLowerCase();
    const variants = usable.filter((alias) => alias.toLowerCase() !== same).slice(0, MAX_VARIANTS_PER_HANDLE);
    return { platform, username, variants };
  });
};

const isUsable = (alias: string): boolean => {
  const length = [...alias].length;
  return length >= MIN_VARIANT_LENGTH && length <= MAX_VARIANT_LENGTH && /(?=\p{L})\p{Script=Latin}/u.test(alias);
};
