import { type Command, Option } from 'commander';
import { compareUsage, ExplainUsage, type Moment, type UsageDocument } from '#audit';
import { agencyId, type CreatorId, invalidRequest, parseId } from '#kernel';
import { type Month, parseMonth } from '#usage';
import { asMoment } from '../moment-option.js';
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
interface UsageOptions {
  readonly agency: string;
  readonly month: string;
  readonly asOf?: Moment;
  readonly creator?: string;
}

interface ExplainOptions extends UsageOptions {
  readonly format: keyof typeof FORMATS;
  readonly against?: string;
}

const usageOptions = (command: Command): Command =>
  command
    .requiredOption('--agency <id>', "the platform's agency id")
    .requiredOption('--month <YYYY-MM>', 'a month in UTC')
    .option('--as-of <moment>', 'the state at a time, or at an event of the log', asMoment)
    .option('--creator <crt>', "one creator's lines; the totals stay the agency's");

export const explainCommand = (usage: Command, register: Register): void =>
  register.reading(
    usageOptions(usage.command('explain'))
      .description('show what a month of usage consists of, down to the events behind it')
      .addOption(new Option('--format <format>').choices(Object.keys(FORMATS)).default('table'))
      .option('--against <file>', 'explain the differences to an earlier explanation, a JSON file'),
    ({ format, against, ...options }: ExplainOptions) =>
      async ({ queries }) => {
        const isComparable = format === 'table' || format === 'json';
        if (against !== undefined && !isComparable) {
          throw invalidRequest({ field: 'format', message: 'must be table or json with --against' });
        }
        const document = await queries.execute(new ExplainUsage(asked(options)));
        if (against === undefined) return new Text(FORMATS[format](document), document);
        const comparison = compareUsage(readUsageFile(against), document);
        return new Text(
          format === 'json' ? JSON.stringify(comparison, null, 2) : comparisonAsTable(comparison),
          comparison,
        );
      },
  );

const asked = ({ agency, month, asOf, creator }: UsageOptions) => ({
  agencyId: agencyId(agency),
  month: asMonth(month),
  asOf,
  creatorId: creator === undefined ? undefined : asCreator(creator),
});

export const asMonth = (text: string): Month => {
  const month = parseMonth(text);
  if (month === undefined) throw invalidRequest({ field: 'month', message: 'must be a month as YYYY-MM' });
  return month;
};

const asCreator = (text: string): CreatorId => {
  const creatorId = parseId('creator', text);
  if (creatorId === undefined) throw invalidRequest({ field: 'creator', message: 'must be the id of a creator' });
  return creatorId;
};
