import type { Identity } from '#creators';
import { withoutInvisible } from '#kernel';
import type { ScanHandle } from './scan.events.js';

export const MAX_VARIANTS_PER_HANDLE = 2;
export const MIN_VARIANT_LENGTH = 2;
export const MAX_VARIANT_LENGTH = 60;

/** Each account with its first two usable aliases (D34). */
export const scanHandles = ({ aliases, profiles }: Identity): ScanHandle[] => {
  const usable = aliases.filter(isUsable);
  const handles = new Map<string, ScanHandle>();
  for (const { platform, username } of profiles) {
    const account = `${platform} ${username.toLowerCase()}`;
    if (!handles.has(account)) handles.set(account, { platform, username, variants: variantsOf(username, usable) });
  }
  return [...handles.values()];
};

const variantsOf = (username: string, aliases: readonly string[]): string[] => {
  const searched = new Set([searchedText(username)]);
  const differs = (alias: string) => searched.size < searched.add(searchedText(alias)).size;
  const variants: string[] = [];
  for (const alias of aliases) {
    if (variants.length < MAX_VARIANTS_PER_HANDLE && differs(alias)) variants.push(alias);
  }
  return variants;
};

const searchedText = (text: string): string => withoutInvisible(text).toLowerCase().replace(/^@/, '');

const isUsable = (alias: string): boolean => {
  const length = [...alias].length;
  const isName =
    length >= MIN_VARIANT_LENGTH && length <= MAX_VARIANT_LENGTH && /(?=\p{L})\p{Script=Latin}/u.test(alias);
  // Not a URL, because no search would find it as a name.
  return isName && !alias.includes('://') && !/^www\./i.test(alias);
};
