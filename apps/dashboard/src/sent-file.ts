import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Spreadsheets read a CSV file in the local encoding unless it begins with this. */
const BYTE_ORDER_MARK = '\ufeff';

/** A file that the browser stores under the name. */
export const sentFile = (reply: FastifyReply, type: string, name: string, parts: AsyncIterable<string>): Readable => {
  reply.header('content-type', `${type}; charset=utf-8`);
  reply.header('content-disposition', `attachment; filename="${name}"`);
  return Readable.from(parts, { objectMode: false });
};

/** A CSV file for a spreadsheet (D52). */
export const sentCsv = (reply: FastifyReply, name: string, records: AsyncIterable<string>): Readable =>
  sentFile(reply, 'text/csv', name, withMark(records));

async function* withMark(records: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* records;
}

/** Reads a file page by page. */
export async function* pagesOf<Cursor>(
  read: (after: Cursor | undefined) => Promise<{ readonly text: string; readonly next: Cursor | null }>,
): AsyncGenerator<string> {
  for (let after: Cursor | undefined; ; ) {
    const { text, next } = await read(after);
    yield text;
    if (next === null) return;
    after = next;
  }
}
