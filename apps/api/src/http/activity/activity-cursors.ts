import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WrappingKeys } from '#personal-data';

/**
 * The platform's cursors as agencies hold them: authenticated, and good for one creator only (D53). What comes back has
 * to be the very text that was given out.
 */
export class ActivityCursors {
  constructor(private readonly keys: WrappingKeys) {}

  seal(creatorId: string, cursor: string): string {
    return this.sealedWith(this.keys.current, creatorId, cursor);
  }

  /** The platform's cursor, or undefined for what was not sealed here for this creator. */
  open(creatorId: string, sealed: string): string | undefined {
    const cursor = Buffer.from(sealed.slice(0, Math.max(0, sealed.indexOf('.'))), 'base64url').toString('utf8');
    const given = Buffer.from(sealed);
    // D85: one that was given out before the master key was changed stays valid until the old key is dropped.
    const isGenuine = this.keys.all.some((key) => {
      const expected = Buffer.from(this.sealedWith(key, creatorId, cursor));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isGenuine ? cursor : undefined;
  }

  private sealedWith(key: Buffer, creatorId: string, cursor: string): string {
    const payload = Buffer.from(cursor, 'utf8').toString('base64url');
    const mac = createHmac('sha256', key).update(`${creatorId}\n${cursor}`).digest('base64url');
    return `${payload}.${mac}`;
  }
}
