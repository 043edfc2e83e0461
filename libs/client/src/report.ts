import { DEFAULT_PAGE_SIZE, type ListOptions } from './options.js';
import type { Transport } from './transport/transport.js';

/** The records of a CSV text by RFC 4180. A cell that is not quoted may contain quotes. */
export const readCsv = (text: string): string[][] => {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [cell, quoted, plain = '', end] of text.matchAll(CELL)) {
    if (cell === '') break;
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    records.push(record);
    record = [];
  }
  return records;
};

const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|$)/g;

/** A row by column names, each cell as it is in the file: empty if there is no value. */
export type ReportRow = Readonly<Record<ReportColumn, string>> & Readonly<Record<string, string>>;

type ReportColumn =
  | 'id'
  | 'url'
  | 'domain'
  | 'status'
  | 'status_code'
  | 'source'
  | 'scan_id'
  | 'leak_id'
  | 'created_at'
  | 'updated_at'
  | 'actionable'
  | 'dead_on_arrival'
  | 'available'
  | 'api_deindex_supported';

/** The cases of a creator as CSV, which is read page by page while it is iterated. */
export class Report implements AsyncIterable<ReportRow> {
  constructor(
    private readonly api: Transport,
    private readonly path: string,
    private readonly options: ListOptions = {},
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<ReportRow, void, undefined> {
    for await (const text of this.#pages()) {
      const [columns = [], ...records] = readCsv(text);
      for (const record of records) {
        yield Object.fromEntries(columns.map((column, at) => [column, record[at] ?? ''])) as ReportRow;
      }
    }
  }

  /** The file in pieces, with one header row: for `Readable.from(report.csv())` and similar uses. */
  async *csv(): AsyncGenerator<string, void, undefined> {
    let isFirst = true;
    for await (const text of this.#pages()) {
      // No column name contains a line break.
      yield isFirst ? text : text.slice(text.indexOf('\n') + 1);
      isFirst = false;
    }
  }

  async *#pages(): AsyncGenerator<string, void, undefined> {
    const { limit = DEFAULT_PAGE_SIZE, after, ...options } = this.options;
    for (let cursor = after ?? undefined; ; ) {
      const query = { limit, after: cursor };
      const { data, response } = await this.api.text({ method: 'GET', path: this.path, query }, options);
      yield data;
      const next = response.headers.get('x-next-cursor');
      if (next === null) return;
      cursor = next;
    }
  }
}
