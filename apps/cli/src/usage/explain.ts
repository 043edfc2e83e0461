import { type Command, Option } from 'commander';
import {
  accountBeginnings,
  type Bound,
  boundAt,
  compareUsage,
  explainUsage,
  type Moment,
  protectionIntervals,
  SWITCHES,
  type UsageDocument,
  usageDocument,
} from '#audit';
import { creatorDecider } from '#creators';
import {
  type AgencyId,
  agencyId,
  type CommandRunner,
  DomainError,
  derivedId,
  type EventLog,
  eventsOf,
  type Instant,
  invalidRequest,
  parseId,
  type RecordedEvent,
  streamName,
} from '#kernel';
import { parseMonth, spanOf } from '#usage';
import type { Services } from '../../../service/src/services.js';
import { asMoment } from '../moment-option.js';
import { Text } from '../print.js';
import type { Register } from '../program.js';
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

/** Which month of whom, as it stood when. */
export interface UsageOptions {
  readonly agency: string;
  readonly month: string;
  readonly asOf?: Moment;
  readonly creator?: string;
}

interface ExplainOptions extends UsageOptions {
  readonly format: keyof typeof FORMATS;
  readonly against?: string;
}

/** The options that say which usage is meant. */
export const usageOptions = (command: Command): Command =>
  command
    .requiredOption('--agency <id>', "the platform's agency id")
    .requiredOption('--month <YYYY-MM>', 'a month in UTC')
    .option('--as-of <moment>', 'as it stood at a time, or where the log was at an event', asMoment)
    .option('--creator <crt>', "one creator's lines; the totals stay the agency's");

export const explainCommand = (usage: Command, register: Register): void =>
  register.reading(
    usageOptions(usage.command('explain'))
      .description('show what a month of usage consists of, down to the events behind it')
      .addOption(new Option('--format <format>').choices(Object.keys(FORMATS)).default('table'))
      .option('--against <file>', 'explain the differences to an earlier explanation, a JSON file'),
    ({ format, against, ...options }: ExplainOptions) =>
      async (services) => {
        const isComparable = format === 'table' || format === 'json';
        if (against !== undefined && !isComparable) {
          throw invalidRequest({ field: 'format', message: 'must be table or json with --against' });
        }
        const document = await explain(services, options);
        if (against === undefined) return new Text(FORMATS[format](document), document);
        const comparison = compareUsage(await readUsageFile(against), document);
        return new Text(
          format === 'json' ? JSON.stringify(comparison, null, 2) : comparisonAsTable(comparison),
          comparison,
        );
      },
  );

/** The month as `GET /v1/usage` gives it at that point of the log, and what it comes from. */
export const explain = async (
  { log, clock, config, accounts, runner }: Services,
  { agency, month: text, asOf, creator }: UsageOptions,
): Promise<UsageDocument> => {
  const id: AgencyId = agencyId(agency);
  await accounts.show(id);
  if (creator !== undefined) await requireCreatorOf(runner, id, creator);
  const month = parseMonth(text);
  if (month === undefined) throw invalidRequest({ field: 'month', message: 'must be a month as YYYY-MM' });
  const bound = asOf && (await boundAt(log, asOf));
  const now = bound?.at ?? clock.now();
  const { start, end } = spanOf(month);
  if (asOf?.kind === 'time' && asOf.at > clock.now())
    throw invalidRequest({ field: 'as-of', message: 'lies in the future' });
  if (start > now) throw invalidRequest({ field: 'month', message: 'lies after that moment' });

  const workspaceId = derivedId('workspace', id);
  const switches = eventsOf(log, { types: new Set(SWITCHES) });
  const intervals = await protectionIntervals(bound ? upTo(switches, bound.isNotAfter) : switches, workspaceId);
  return usageDocument(
    explainUsage(
      { agencyId: id, workspaceId, since: await accountSince(log, id, bound) },
      month,
      Math.min(end, now),
      intervals,
    ),
    config.pricing,
    creator,
  );
};

/** When the account began, as far as the log held that at the bound. */
const accountSince = async (log: EventLog, id: AgencyId, bound: Bound | undefined): Promise<Instant | null> => {
  const [first] = await log.readStream(streamName('agency', id), { limit: 1 });
  const isKnown = first !== undefined && accountBeginnings(id)(first) && bound?.isNotAfter(first) !== false;
  return isKnown ? first.metadata.at : null;
};

const requireCreatorOf = async (runner: CommandRunner, agency: AgencyId, text: string): Promise<void> => {
  const creatorId = parseId('creator', text);
  if (creatorId === undefined) throw invalidRequest({ field: 'creator', message: 'must be the id of a creator' });
  const { state } = await runner.load(creatorDecider, creatorId);
  if (state.status === 'unknown' || state.agencyId !== agency) throw new DomainError('not_found');
};

async function* upTo(
  events: AsyncIterable<RecordedEvent>,
  isNotAfter: (event: RecordedEvent) => boolean,
): AsyncGenerator<RecordedEvent> {
  for await (const event of events) if (isNotAfter(event)) yield event;
}
