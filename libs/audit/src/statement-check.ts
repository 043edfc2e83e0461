import { z } from 'zod';
import type { RecordedEvent, StoredLog, StreamName } from '#kernel';
import { parseSeal, type SealPublicKey, type Verification, verifyLog } from '#tamper-evidence';
import { parseMonth, SWITCHES } from '#usage';
import { differences } from './differences.js';
import { usageDocument } from './usage-document.js';
import {
  isStatementSignedBy,
  type SignedUsageStatement,
  type StatedLog,
  type StatedLogOfVersion1,
} from './usage-statement.js';
import { viewBy, visibleEventsOf } from './visible-events.js';

type GivenStatement = SignedUsageStatement<StatedLog | StatedLogOfVersion1>;

const text = z.string();
const whole = z.int().nonnegative();
const instant = z.int().min(-8.64e15).max(8.64e15);

/** The explanation has what is needed to compute it again; the rest of it is compared as it is. */
const EXPLANATION = z.looseObject({
  agency_id: text,
  month: text.refine((month) => parseMonth(month) !== undefined),
  price: z.looseObject({
    per_creator_month_cents: whole.nullable(),
    minimum_monthly_cents: whole,
    currency: z.enum(['EUR', 'USD']),
  }),
});

const statementOf = <Version extends number, Log extends z.ZodType>(version: Version, log: Log) =>
  z.strictObject({
    kind: z.literal('usage_statement'),
    version: z.literal(version),
    made_at: instant,
    as_of: z.strictObject({ kind: z.enum(['now', 'time', 'event']), at: instant }),
    explanation: EXPLANATION,
    log,
    key: text,
  });

const LOG_OF_VERSION_1 = z.strictObject({
  last_event: z.strictObject({ id: text, stream: text, revision: whole }),
  events: whole,
  seal: z.strictObject({ statement: z.unknown(), signature: text }).refine((seal) => parseSeal(seal) !== undefined),
});
const LOG = z.strictObject({ events: whole, size: whole, root: text });
const STATEMENT = z.discriminatedUnion('version', [statementOf(1, LOG_OF_VERSION_1), statementOf(2, LOG)]);
const FORM = z.strictObject({ statement: STATEMENT, signature: text });

/** Parses a statement from an outside value, unchanged; or returns the path of the first member that is wrong. */
const parseStatement = (value: unknown): GivenStatement | string => {
  const [wrong] = FORM.safeParse(value).error?.issues ?? [];
  return wrong === undefined ? (value as GivenStatement) : ['file', ...wrong.path].join('.');
};

export interface StatementFault {
  readonly kind: 'form' | 'signature' | 'log' | 'extent' | 'explanation';
  /** The member that is wrong, such as `explanation.totals.active_milliseconds`. */
  readonly path: string;
  readonly message: string;
}

export interface StatementVerdict {
  readonly statement: GivenStatement['statement'] | undefined;
  readonly faults: readonly StatementFault[];
}

/**
 * Checks a statement from outside against a copy of the log, with the public key alone: its signature, whether the log
 * up to its seal is the sealed one, and whether the log explains the month in the same way.
 */
export const checkStatement = async (
  value: unknown,
  log: StoredLog,
  key: SealPublicKey,
  trusted: readonly SealPublicKey[] = [],
): Promise<StatementVerdict> => {
  const signed = parseStatement(value);
  if (typeof signed === 'string') {
    return {
      statement: undefined,
      faults: [{ kind: 'form', path: signed, message: 'does not have the form of a statement' }],
    };
  }
  const { statement } = signed;
  const faults: StatementFault[] = [];
  const stated = statement.log;
  const { size, root } = treeOf(stated);
  const verification = await verifyLog(log, key, { kept: 'seal' in stated ? stated.seal : undefined, trusted });
  // D85: the log may record that the key was changed before or after the statement was signed.
  const signer = verification.publicKeys.get(statement.key);
  if (signer === undefined) {
    const message = `it is signed with the key ${statement.key}, not with ${key.id}`;
    faults.push({ kind: 'signature', path: 'key', message });
  }
  if (!isStatementSignedBy(signed, signer ?? key)) {
    faults.push({ kind: 'signature', path: 'signature', message: 'is not that of the key' });
  }
  faults.push(...faultsOfLog(verification, size));
  if (!('seal' in stated) && !verification.signedSeals.some((seal) => seal.count === size && seal.root === root)) {
    faults.push({ kind: 'log', path: 'log.root', message: `no seal of the log covers ${size} events with this root` });
  }
  faults.push(...(await faultsOfVisibleEvents(statement, log)));
  return { statement, faults };
};

const treeOf = (log: GivenStatement['statement']['log']) =>
  'seal' in log ? { size: log.seal.statement.count, root: log.seal.statement.root } : log;

/** The statement does not depend on events after its seal. */
const faultsOfLog = ({ faults }: Verification, sealed: number): StatementFault[] =>
  faults
    .filter(({ number }) => number <= sealed)
    .map(({ number, kind, id, message }) => ({
      kind: 'log',
      path: kind === 'bad_seal' && number === 0 ? 'log.seal' : 'log',
      message: number === 0 ? message : `event ${number}${id === null ? '' : ` (${id})`}: ${message}`,
    }));

const faultsOfVisibleEvents = async (
  statement: GivenStatement['statement'],
  log: StoredLog,
): Promise<StatementFault[]> => {
  const { as_of: asOf, made_at: madeAt, explanation } = statement;
  const { agency_id: agencyId, month, price } = explanation;
  const isSeen = (_: RecordedEvent, number: number) => asOf.kind === 'now' || number <= statement.log.events;
  const view = asOf.kind === 'time' ? viewBy(asOf.at) : { isSeen };
  const { size } = treeOf(statement.log);
  const { last, events, intervals, since } = await visibleEventsOf(storedEvents(log), view, agencyId, size);
  const at = asOf.kind === 'time' ? asOf.at : asOf.kind === 'now' ? madeAt : last?.metadata.at;
  const named = 'last_event' in statement.log ? statement.log.last_event : undefined;
  const seen = {
    as_of: { kind: asOf.kind, at },
    last_event: named && last && { id: last.id, stream: last.stream, revision: last.revision },
    events,
  };
  const stated = { as_of: asOf, last_event: named, events: statement.log.events };
  const again = usageDocument(
    { agencyId, month, at: asOf.at, intervals, since },
    {
      perCreatorMonth: price.per_creator_month_cents ?? undefined,
      minimumMonthly: price.minimum_monthly_cents,
      currency: price.currency,
    },
  );
  const isFuture = asOf.kind === 'time' && asOf.at > madeAt;
  return [
    ...faultsIn('extent', stated, seen, (path) => (path.startsWith('as_of') ? path : `log.${path}`)),
    ...(isFuture ? [{ kind: 'extent' as const, path: 'as_of.at', message: 'is later than made_at' }] : []),
    ...faultsIn('explanation', explanation, again, (path) => `explanation.${path}`),
  ];
};

const faultsIn = (
  kind: StatementFault['kind'],
  stated: unknown,
  byLog: unknown,
  pathOf: (path: string) => string,
): StatementFault[] =>
  differences(stated, byLog).map(({ path, before = null, after = null }) => ({
    kind,
    path: pathOf(path),
    message: `is ${JSON.stringify(before)}; the log says ${JSON.stringify(after)}`,
  }));

/** The events of a stored log. Data is parsed only for events that usage depends on. */
async function* storedEvents(log: StoredLog): AsyncGenerator<RecordedEvent> {
  for await (const page of log.pages()) {
    for (const record of page) {
      if ('missing' in record) continue;
      if ('damage' in record) {
        yield unreadable(record.id, record.stream);
        continue;
      }
      const { id, type, stream, revision, position, json } = record;
      const isSwitch = SWITCHES.some((each) => each === type);
      const metadata = parsed(json.metadata);
      const data = isSwitch ? parsed(json.data) : {};
      if (metadata === undefined || data === undefined) yield unreadable(id, stream);
      else {
        yield { id, type, stream, revision, position, data, metadata } as unknown as RecordedEvent;
      }
    }
  }
}

/** Takes its place in the count. Its hash shows that it is damaged. */
const unreadable = (id: string, stream: string): RecordedEvent => ({
  id,
  type: 'unreadable',
  stream: stream as StreamName,
  revision: Number.NaN,
  position: Number.NaN,
  data: {},
  metadata: { at: Number.NaN, correlationId: '', causationId: null, actor: '', workspaceId: null },
});

const parsed = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};
