import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { CASE_WALK } from '#creators';
import { deadLetterDecider } from '#jobs';
import { announcesNothing, type ContextDefinition } from '#kernel';
import { ANNOUNCED_TYPES } from '../../event-feed/src/publishing/announcements.js';
import { CONTEXTS, DECIDERS, RUNNERS, TASK_KINDS } from './index.js';

const LIBS = join(import.meta.dirname, '../..');

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether engines and tools find the export only in the definition of its context. */
const isPart = (name: string, value: unknown): boolean => {
  if (typeof value === 'function') {
    // A reaction or another consumer of the log.
    const prototype: unknown = value.prototype;
    return isObject(prototype) && 'handle' in prototype;
  }
  const isReadModel = isObject(value) && 'indexes' in value;
  return isReadModel || /(?:Announcements|Decider|Upcasters)$/.test(name);
};

/** The parts that the files of the context export, each with its file and name. */
const exportedBy = async (context: string): Promise<ReadonlyMap<unknown, string>> => {
  const files = globSync(`${context}/src/{*/**/*,*.context}.ts`, { cwd: LIBS }).filter(
    (file) => !/\.(spec|fixtures)\.ts$/.test(file),
  );
  const parts = files.map(async (file) => {
    const exported = Object.entries((await import(join(LIBS, file))) as Record<string, unknown>);
    const ofFile = exported.filter(([name, value]) => isPart(name, value));
    // Upcasters are exported as lists.
    return ofFile.flatMap(([name, value]) => [value].flat().map((part) => [part, `${file}: ${name}`] as const));
  });
  return new Map((await Promise.all(parts)).flat());
};

const partsOf = (context: ContextDefinition): ReadonlySet<unknown> => {
  const { deciders, upcasters, projections, collections, reactions, consumers, announcements } = context;
  const classes = [reactions, consumers].flatMap((byName) => Object.values(byName));
  return new Set<unknown>([deciders, upcasters, projections, collections, classes, announcements].flat());
};

/** An instance that is never used. */
const made = <T>(provided: abstract new (...dependencies: never[]) => T): T => {
  const dependencies = Array.from({ length: provided.length }, () => ({}));
  return new (provided as unknown as new (...dependencies: readonly object[]) => T)(...dependencies);
};

it('lists each context that there is, once', async () => {
  const files = globSync('*/src/*.context.ts', { cwd: LIBS });
  const modules = files.map(async (file) => (await import(join(LIBS, file))) as Record<string, ContextDefinition>);
  const defined = (await Promise.all(modules)).flatMap(Object.values).filter((one) => 'deciders' in one);
  expect(defined.length).toBe(files.length);
  expect(new Set(CONTEXTS)).toEqual(new Set(defined));
  expect(new Set(CONTEXTS.map(({ name }) => name)).size).toBe(CONTEXTS.length);
});

it.each(CONTEXTS.map(({ name, announcements }) => ({ name, announcements })))(
  'publishes what $name announces',
  ({ announcements }) => {
    const rows = announcements.flatMap((streams) => Object.entries(streams.rows));
    const announced = rows.filter(([, row]) => row !== announcesNothing).map(([type]) => type);
    expect(announced.filter((type) => !ANNOUNCED_TYPES.has(type))).toEqual([]);
  },
);

/** Why agencies see nothing of these streams. */
const ANNOUNCES_NOTHING: Readonly<Record<string, string>> = {
  agency: 'operators bind agencies',
  apiKey: 'operators make and revoke keys',
  roster: "the creator's stream announces how an enrollment goes on",
  invitationResend: "the creator's stream announces that the invitation was sent again",
  impersonationReport: 'the impersonation that follows from a report is announced from its own stream',
  scanAllowance: 'it only counts scans, whose streams announce them',
  usageMeter: 'agencies read it at GET /v1/usage',
  usageStatement: 'people ask for statements in the dashboard, which shows how far they are',
  webhookEndpoint: 'operators manage endpoints',
  webhookDelivery: 'it delivers announcements',
  webhookReplay: 'it delivers announcements again',
};

/** Why no job follows from the events of these streams in their own context. */
const MAKES_NOTHING_DUE: Readonly<Record<string, string>> = {
  agency: 'the plan of the creators has the rows of its events',
  apiKey: 'a key expires without an event',
  impersonation: 'the walk of the cases reads impersonations too',
  impersonationReport: 'the agency repeats a request whose outcome is unknown',
  usageMeter: 'an interval ends with an event, and never at a time',
  webhookDelivery: 'the documents of webhook_deliveries are tasks themselves',
};

/** The stream categories of which no event has a row in the own context. */
const withoutRows = (typesOf: (context: ContextDefinition) => readonly string[]): string[] =>
  CONTEXTS.flatMap((context) => {
    const types = typesOf(context);
    const categories = context.deciders.map(({ category }) => category);
    return categories.filter((category) => !types.some((type) => type.startsWith(`${category}.`)));
  });

it('has announcements of each stream category, unless the list above says why not', () => {
  const silent = withoutRows(({ announcements }) => announcements.flatMap(({ rows }) => Object.keys(rows)));
  expect(silent.toSorted()).toEqual(Object.keys(ANNOUNCES_NOTHING).toSorted());
});

it('has each stream category in the plan of its context, unless the list above says why not', () => {
  const idle = withoutRows(({ taskRules }) => Object.keys(taskRules ?? {}));
  expect(idle.toSorted()).toEqual(Object.keys(MAKES_NOTHING_DUE).toSorted());
});

it.each(CONTEXTS)('the definition of $name lists each part that the files of the context export', async (context) => {
  const exported = await exportedBy(context.name);
  const parts = partsOf(context);
  expect([...exported].filter(([part]) => !parts.has(part)).map(([, file]) => file)).toEqual([]);
  // The files export every listed part. So a part that is not listed would be among the exported ones.
  expect([...parts].filter((part) => !exported.has(part))).toEqual([]);
});

it('lists each reaction and each other consumer under its own name, which no other has', () => {
  const runners = CONTEXTS.flatMap(({ reactions, consumers }) => Object.entries({ ...reactions, ...consumers }));
  expect(runners.map(([, runner]) => made(runner).name)).toEqual(runners.map(([name]) => name));
  expect(new Set(RUNNERS).size).toBe(RUNNERS.length);
});

it('knows each decider by its category, which no other has, and that of what was set aside', () => {
  const deciders = [deadLetterDecider, ...CONTEXTS.flatMap((context) => context.deciders)];
  expect([...DECIDERS]).toEqual(deciders.map((decider) => [decider.category, decider]));
});

it('has a job for each task kind, and no other', () => {
  const jobs = CONTEXTS.flatMap(({ taskJobs }) => Object.keys(taskJobs));
  expect(jobs.toSorted()).toEqual([...TASK_KINDS].toSorted());
});

it('has the task kind that a request of the creators makes due', () => {
  expect(TASK_KINDS).toContain(CASE_WALK);
});
