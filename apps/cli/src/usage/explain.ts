import { type Command, Option } from 'commander';
import { compareUsage, ExplainUsage, type Moment, type UsageDocument } from '#audit';
import { type CreatorId, invalidRequest } from '#kernel';
import { type Month, parseMonth } from '#usage';
import { asMoment, asPath, idOption, type OfAgency, withAgency } from '../arguments.js';
import { Text } from '../print.js';
import type { Register } from '../register.js';
import { usageAsCsv } from './usage-csv.js';
import { readUsageFile } from './usage-file.js';
import { usageAsHtml } from './usage-html.js';
import { comparisonAsTable, usageAsTable } from './usage-table.js';

const FORMATS = {
  table: usageAsTable,
  csv: usageAsCsv,
  json: (document: UsageDocument) => JSON.stringify(document, null, 2),
  html: usageAsHtml,
};

/** The agency, the month, and the point of the log. */
export interface OfMonth extends OfAgency {
  readonly month: Month;
  readonly asOf?: Moment;
}

export const withMonth = (command: Command): Command =>
  withAgency(command)
    .requiredOption('--month <YYYY-MM>', 'a month in UTC', asMonth)
    .option('--as-of <moment>', 'the state at a time, or at an event of the log', asMoment);

const asMonth = (text: string): Month => {
  const month = parseMonth(text);
  if (month === undefined) throw invalidRequest({ field: 'month', message: 'must be a month as YYYY-MM' });
  return month;
};

interface ExplainOptions extends OfMonth {
  readonly creator?: CreatorId;
  readonly format: keyof typeof FORMATS;
  readonly against?: string;
}

export const explainCommand = (usage: Command, register: Register): void =>
  register.reading(
    withMonth(usage.command('explain'))
      .description('show what a month of usage consists of, down to the events behind it')
      .option('--creator <crt>', "one creator's lines; the totals stay the agency's", idOption('creator', 'creator'))
      .addOption(new Option('--format <format>').choices(Object.keys(FORMATS)).default('table'))
      .option('--against <file>', 'explain the differences to an earlier explanation, a JSON file', asPath),
    async ({ queries }, { agency: agencyId, month, asOf, creator: creatorId, format, against }: ExplainOptions) => {
      const isComparable = format === 'table' || format === 'json';
      if (against !== undefined && !isComparable) {
        throw invalidRequest({ field: 'format', message: 'must be table or json with --against' });
      }
      const document = await queries.execute(new ExplainUsage({ agencyId, month, asOf, creatorId }));
      if (against === undefined) return new Text(FORMATS[format](document), document);
      const comparison = compareUsage(readUsageFile(against), document);
      const text = format === 'json' ? JSON.stringify(comparison, null, 2) : comparisonAsTable(comparison);
      return new Text(text, comparison);
    },
  );
