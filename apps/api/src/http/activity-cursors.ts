import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { DomainError } from '#kernel';
import type { WrappingKeys } from '#personal-data';

/** A platform cursor with a mark: the digest of an earlier cursor, and how many pages ago that was. */
interface MarkedCursor {
  readonly cursor: string;
  readonly mark: string | undefined;
  readonly steps: number;
  /** The number of pages after which the next mark is set. */
  readonly reach: number;
}

const DIGEST_BYTES = 12;
/** The cursor comes last, because it may contain any character. */
const MARKED = /^(?<mark>[\w-]{16}) (?<steps>\d{1,15}) (?<reach>\d{1,15})\n(?<cursor>.+)$/s;

/** Parses what `nextMarkedCursor` made. A text without a mark comes from a version that set none. */
const parsed = (text: string): MarkedCursor => {
  const { mark, steps, reach, cursor } = MARKED.exec(text)?.groups ?? {};
  if (cursor === undefined) return { cursor: text, mark: undefined, steps: 0, reach: 1 };
  return { cursor, mark, steps: Number(steps), reach: Number(reach) };
};

export const platformCursor = (marked: string): string => parsed(marked).cursor;

/** A cycle of cursors is `provider_invalid_response`: the mark moves on after 1, 2, 4 … pages (Brent's algorithm, D80). */
export const nextMarkedCursor = (from: string | undefined, cursor: string): string => {
  const digest = createHash('sha256').update(cursor).digest().subarray(0, DIGEST_BYTES).toString('base64url');
  const { mark, steps, reach } = parsed(from ?? '');
  if (mark === undefined) return `${digest} 0 1\n${cursor}`;
  if (digest === mark) {
    throw new DomainError('provider_invalid_response', { cause: new Error('listActivity: the cursor repeats') });
  }
  return steps + 1 === reach ? `${digest} 0 ${2 * reach}\n${cursor}` : `${mark} ${steps + 1} ${reach}\n${cursor}`;
};

/** Issues authenticated cursors, each valid for one creator only (D53), and only as the exact text that was issued. */
export class ActivityCursors {
  constructor(private readonly keys: WrappingKeys) {}

  seal(creatorId: string, cursor: string): string {
    return this.sealedWith(this.keys.current, creatorId, cursor);
  }

  /** The platform's cursor; undefined if the text was not issued here for this creator. */
  open(creatorId: string, sealed: string): string | undefined {
    const cursor = Buffer.from(sealed.slice(0, Math.max(0, sealed.indexOf('.'))), 'base64url').toString('utf8');
    const given = Buffer.from(sealed);
    // D85: a cursor that was issued before a change of the master key is valid until the old key is dropped.
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
