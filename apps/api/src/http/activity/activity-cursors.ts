import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The platform's cursors as agencies hold them: authenticated, and good for one creator only (D53). What comes back has
 * to be the very text that was given out.
 */
export class ActivityCursors {
  constructor(private readonly key: Buffer) {}

  seal(creatorId: string, cursor: string): string {
    const payload = Buffer.from(cursor, 'utf8').toString('base64url');
    const mac = createHmac('sha256', this.key).update(`${creatorId}\n${cursor}`).digest('base64url');
    return `${payload}.${mac}`;
  }

  /** The platform's cursor, or undefined for what was not sealed here for this creator. */
  open(creatorId: string, sealed: string): string | undefined {
    const cursor = Buffer.from(sealed.slice(0, Math.max(0, sealed.indexOf('.'))), 'base64url').toString('utf8');
    const expected = Buffer.from(this.seal(creatorId, cursor));
    const given = Buffer.from(sealed);
    return given.length === expected.length && timingSafeEqual(given, expected) ? cursor : undefined;
  }
}
