import { type CollectionDefinition, type Document, type DocumentStore, type Instant, newEventId } from '#kernel';
import type { StoredText } from '../domain/usage-statement.js';

/** In characters. A document store bounds a document, and a statement has no bound. */
const PART_LENGTH = 256 * 1024;
const MAX_SWEPT = 100;

export interface TextPart extends Document {
  readonly text: string;
  readonly expiresAt: Instant;
}

/** How much of the log has been read for a statement that is being made. */
export interface Share extends Document {
  readonly share: number;
  readonly expiresAt: Instant;
}

export const USAGE_STATEMENT_PARTS: CollectionDefinition = {
  name: 'usage_statement_parts',
  indexes: [{ name: 'expiry', fields: ['expiresAt'] }],
};
const { name: PARTS } = USAGE_STATEMENT_PARTS;

/** The texts of statements, each in several documents. */
export class StatementTexts {
  constructor(private readonly documents: DocumentStore) {}

  /** What nobody refers to, such as after a kill, expires. */
  async put(text: string, name: string, expiresAt: Instant): Promise<StoredText> {
    const parts = Math.ceil(text.length / PART_LENGTH);
    const stored = { textId: `${name}:${newEventId()}`, parts, bytes: Buffer.byteLength(text) };
    for (const [part, id] of partIdsOf(stored).entries()) {
      const put: TextPart = { id, text: text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH), expiresAt };
      await this.documents.write([{ collection: PARTS, put: [put] }]);
    }
    return stored;
  }

  /** Breaks off if the text is removed in between. */
  async *read(stored: StoredText): AsyncGenerator<string> {
    for (const id of partIdsOf(stored)) {
      const part = await this.documents.get<TextPart>(PARTS, id);
      if (part === undefined) return;
      yield part.text;
    }
  }

  async remove(stored: StoredText): Promise<void> {
    await this.documents.write([{ collection: PARTS, remove: partIdsOf(stored) }]);
  }

  async noteShare(name: string, share: number, expiresAt: Instant): Promise<void> {
    const put: Share = { id: name, share, expiresAt };
    await this.documents.write([{ collection: PARTS, put: [put] }]);
  }

  async shareOf(name: string): Promise<number> {
    return (await this.documents.get<Share>(PARTS, name))?.share ?? 0;
  }

  async sweep(now: Instant): Promise<void> {
    const expired = await this.documents.findEntries(PARTS, { index: 'expiry', gt: 0, lte: now, limit: MAX_SWEPT });
    if (expired.length > 0) await this.documents.write([{ collection: PARTS, remove: expired.map(({ id }) => id) }]);
  }
}

const partIdsOf = ({ textId, parts }: StoredText): string[] =>
  Array.from({ length: parts }, (_, part) => `${textId}:${part}`);
