import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WrappingKeys } from '#personal-data';

/** Encrypted, authenticated, and valid for one creator only (D53); only exactly the text that was issued is valid. */
export class ActivityCursors {
  constructor(private readonly keys: WrappingKeys) {}

  seal(creatorId: string, cursor: string): string {
    return this.sealedWith(this.keys.current, creatorId, cursor);
  }

  /** The platform's cursor, or undefined if the text was not issued here for this creator. */
  open(creatorId: string, sealed: string): string | undefined {
    const cursor = Buffer.from(sealed.slice(0, Math.max(0, sealed.indexOf('.'))), 'base64url').toString('utf8');
    const given = Buffer.from(sealed);
    // D85: a cursor from before a change of the master key is valid until the old key is dropped.
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
