import { parseSeal } from '#tamper-evidence';
import { parseMonth } from '#usage';
import type { SignedUsageStatement, StatedLog, StatedLogOfVersion1 } from './usage-statement.js';

export type GivenStatement = SignedUsageStatement<StatedLog | StatedLogOfVersion1>;

type Members = Readonly<Record<string, unknown>>;

/**
 * The statement that is in a value from outside, or the path of the first member that is wrong. Its explanation has what
 * is needed to compute it again; the rest of it is not checked here, but compared as it is.
 */
export const parseStatement = (value: unknown): GivenStatement | string => {
  const form = memberAt(value, 'file.statement.version') === 1 ? FORM_OF_VERSION_1 : FORM;
  const wrong = form.find(([path, isRight]) => !isRight(memberAt(value, path)));
  return wrong === undefined ? (value as GivenStatement) : wrong[0];
};

const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((member, name) => (isObject(member) ? member[name] : undefined), { file: value });

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasExactly =
  (...names: string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.length === Object.keys(value).length && names.every((name) => Object.hasOwn(value, name));
const isText = (value: unknown): boolean => typeof value === 'string';
const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isInstant = (value: unknown): boolean => Number.isSafeInteger(value) && Math.abs(Number(value)) <= 8.64e15;
const isOneOf =
  (...values: unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

type Form = readonly (readonly [path: string, isRight: (value: unknown) => boolean])[];

const OF_ANY_VERSION: Form = [
  ['file', hasExactly('statement', 'signature')],
  ['file.signature', isText],
  ['file.statement', hasExactly('kind', 'version', 'made_at', 'as_of', 'explanation', 'log', 'key')],
  ['file.statement.kind', isOneOf('usage_statement')],
  ['file.statement.version', isOneOf(1, 2)],
  ['file.statement.made_at', isInstant],
  ['file.statement.as_of', hasExactly('kind', 'at')],
  ['file.statement.as_of.kind', isOneOf('now', 'time', 'event')],
  ['file.statement.as_of.at', isInstant],
  ['file.statement.explanation', isObject],
  ['file.statement.explanation.agency_id', isText],
  ['file.statement.explanation.month', (value) => typeof value === 'string' && parseMonth(value) !== undefined],
  ['file.statement.explanation.price', isObject],
  ['file.statement.explanation.price.per_creator_month_cents', (value) => value === null || isWhole(value)],
  ['file.statement.explanation.price.minimum_monthly_cents', isWhole],
  ['file.statement.explanation.price.currency', isOneOf('EUR', 'USD')],
  ['file.statement.log.events', isWhole],
  ['file.statement.key', isText],
];

const FORM: Form = [
  ...OF_ANY_VERSION,
  ['file.statement.log', hasExactly('events', 'size', 'root')],
  ['file.statement.log.size', isWhole],
  ['file.statement.log.root', isText],
];

const FORM_OF_VERSION_1: Form = [
  ...OF_ANY_VERSION,
  ['file.statement.log', hasExactly('last_event', 'events', 'seal')],
  ['file.statement.log.last_event', hasExactly('id', 'stream', 'revision')],
  ['file.statement.log.seal', (value) => hasExactly('statement', 'signature')(value) && parseSeal(value) !== undefined],
];
