import { randomUUID } from 'node:crypto';
import type { CollectionDefinition, CollectionWrite, Document, DocumentStore, Instant } from '#kernel';
import { removeRange } from '../remove-documents.js';

/** In characters. A document store bounds a document, and a statement has no bound. */
const PART_LENGTH = 256 * 1024;
const MAX_SWEPT = 100;

/** Where a text is. */
export interface StoredText {
  /** How the ids of its parts begin; null without a text. */
  readonly textId: string | null;
  readonly parts: number;
  /** In UTF-8. */
  readonly bytes: number;
}

interface TextPart extends Document {
  readonly text: string;
  readonly expiresAt: Instant;
}

export const NO_TEXT: StoredText = { textId: null, parts: 0, bytes: 0 };

export const USAGE_STATEMENT_PARTS: CollectionDefinition = {
  name: 'usage_statement_parts',
  indexes: [{ name: 'expiry', fields: ['expiresAt'] }],
};

/** The texts of statements, each in several documents. */
export class StatementTexts {
  constructor(private readonly documents: DocumentStore) {}

  /** What nobody refers to, such as after a kill, expires. */
  async put(text: string, name: string, expiresAt: Instant): Promise<StoredText> {
    const parts = Math.ceil(text.length / PART_LENGTH);
    const stored = { textId: `${name}:${randomUUID()}`, parts, bytes: Buffer.byteLength(text) };
    for (const [part, id] of partIdsOf(stored).entries()) {
      const put: TextPart = { id, text: text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH), expiresAt };
      await this.documents.write([{ collection: USAGE_STATEMENT_PARTS.name, put: [put] }]);
    }
    return stored;
  }

  /** Breaks off if the text is removed in between. */
  async *read(stored: StoredText): AsyncGenerator<string> {
    for (const id of partIdsOf(stored)) {
      const part = await this.documents.get<TextPart>(USAGE_STATEMENT_PARTS.name, id);
      if (part === undefined) return;
      yield part.text;
    }
  }

  removal(stored: StoredText): CollectionWrite {
    return { collection: USAGE_STATEMENT_PARTS.name, remove: partIdsOf(stored) };
  }

  async sweep(now: Instant): Promise<void> {
    const expired = { index: 'expiry', gt: 0, lte: now, limit: MAX_SWEPT };
    await removeRange(this.documents, USAGE_STATEMENT_PARTS.name, expired);
  }
}

const partIdsOf = ({ textId, parts }: StoredText): string[] =>
  Array.from({ length: parts }, (_, part) => `${textId}:${part}`);
