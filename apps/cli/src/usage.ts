import { type Command, Option } from 'commander';
import { z } from 'zod';
import {
  checkStatement,
  compareUsage,
  ExplainUsage,
  type Moment,
  SignUsageStatement,
  type StatementVerdict,
  type UsageDocument,
} from '#audit';
import { type CreatorId, invalidRequest } from '#kernel';
import { type Month, parseMonth } from '#usage';
import { asMoment, asPath, idOption, type OfAgency, withAgency } from './arguments.js';
import { readJsonFile, writeNewFile } from './files.js';
import { FailedCheck, Text } from './print.js';
import type { Register } from './register.js';
import { type StoredLogOptions, storedLogOptions, withStoredLog } from './stores/opened-stores.js';
import { usageAsHtml } from './usage-html.js';
import { comparisonAsTable, money, usageAsCsv, usageAsTable } from './usage-table.js';

const FORMATS = {
  table: usageAsTable,
  csv: usageAsCsv,
  json: (document: UsageDocument) => JSON.stringify(document, null, 2),
  html: usageAsHtml,
};

interface OfMonth extends OfAgency {
  readonly month: Month;
  readonly asOf?: Moment;
}

interface ExplainOptions extends OfMonth {
  readonly creator?: CreatorId;
  readonly format: keyof typeof FORMATS;
  readonly against?: string;
}

export const addCommands = (usage: Command, register: Register): void => {
  register.reading(
    withMonth(usage.command('explain'))
      .description('explain a month of usage, down to the events behind it')
      .option(
        '--creator <crt>',
        "only one creator's lines; the totals are still the agency's",
        idOption('creator', 'creator'),
      )
      .addOption(new Option('--format <format>').choices(Object.keys(FORMATS)).default('table'))
      .option('--against <file>', 'explain the differences from an earlier explanation, a JSON file', asPath),
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
  register(
    withMonth(usage.command('statement'))
      .description('write a signed statement of a month of usage, which can be checked against a copy of the log')
      .requiredOption('--out <file>', 'where to write it; an existing file is not replaced', asPath),
    async ({ commands }, { agency, month, asOf, out }: OfMonth & { readonly out: string }) => {
      const signed = await commands.execute(new SignUsageStatement(agency, month, asOf));
      await writeNewFile(out, `${JSON.stringify(signed, undefined, 2)}\n`);
      const { explanation, log } = signed.statement;
      return {
        file: out,
        agency_id: explanation.agency_id,
        month: explanation.month,
        measured_through: explanation.measured_through,
        estimated_total_cents: explanation.totals.estimated_total_cents,
        events: log.events,
      };
    },
  );
  register.apart(
    storedLogOptions(
      usage
        .command('check')
        .argument('<file>', 'a signed statement', asPath)
        .description('check a statement against the log, or a copy of it; needs only the public key'),
    ),
    async (environment, options: StoredLogOptions, file) => {
      const value = readJsonFile(file);
      const verdict = await withStoredLog(environment, options, (log, { key, trusted }) =>
        checkStatement(value, log, key, trusted),
      );
      const [words, json] = [inWords(verdict), asJson(verdict)];
      return verdict.faults.length === 0 ? new Text(words, json) : new FailedCheck(words, json);
    },
  );
};

const withMonth = (command: Command): Command =>
  withAgency(command)
    .requiredOption('--month <YYYY-MM>', 'a month in UTC', asMonth)
    .option('--as-of <moment>', 'the state at a time, or at an event of the log', asMoment);

const asMonth = (text: string): Month => {
  const month = parseMonth(text);
  if (month === undefined) throw invalidRequest({ field: 'month', message: 'must be a month as YYYY-MM' });
  return month;
};

/** The part of an explanation that a comparison needs. */
const EXPLANATION = z.looseObject({
  kind: z.literal('usage_explanation'),
  version: z.literal(1),
  price: z.looseObject({}),
  totals: z.looseObject({}),
  creators: z.array(z.unknown()),
});

/** Reads an explanation that was stored as JSON, or the one in a statement. */
const readUsageFile = (path: string): UsageDocument => {
  const file = readJsonFile(path);
  const value: unknown = Object(Object(file).statement).explanation ?? file;
  if (EXPLANATION.safeParse(value).success) return value as UsageDocument;
  throw invalidRequest({ field: path, message: 'is not an explanation of usage' });
};

const asJson = ({ statement, faults }: StatementVerdict) => ({
  valid: faults.length === 0,
  agency_id: statement?.explanation.agency_id ?? null,
  month: statement?.explanation.month ?? null,
  events: statement?.log.events ?? null,
  faults,
});

const inWords = ({ statement, faults }: StatementVerdict): string => {
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`);
  const verdict = faults.length === 0 ? 'valid   yes' : 'valid   no';
  if (statement === undefined) return [verdict, ...lines].join('\n');
  const { explanation, log } = statement;
  // An invalid statement may have any form.
  if (faults.length > 0)
    return [`month   ${explanation.month} of ${explanation.agency_id}`, verdict, ...lines].join('\n');
  const { totals, price } = explanation;
  return [
    `month   ${explanation.month} of ${explanation.agency_id}, through ${explanation.measured_through}`,
    `total   ${money(totals.estimated_total_cents, price.currency)}`,
    `events  ${log.events}`,
    verdict,
  ].join('\n');
};
