import type { Duration } from '#kernel';

export abstract class CasesOptions {
  /** How often all of a creator's records are read, in milliseconds. */
  abstract readonly walkEvery: Duration;
  /** The URL of a site's icon, with `{domain}` in it; undefined if no icon is shown (D50). */
  abstract readonly faviconTemplate: string | undefined;
}
