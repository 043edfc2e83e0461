import { agenciesContext } from '#agencies';
import { casesContext } from '#cases';
import { creatorsContext } from '#creators';
import { deindexingContext } from '#deindexing';
import { EVENT_FEED, eventFeedContext } from '#event-feed';
import { impersonationsContext } from '#impersonations';
import { DUE_WORK, deadLetterDecider, taskKindsOf, taskProjectionOf } from '#jobs';
import type { AnyDecider, CollectionDefinition, ContextDefinition, Projection, TaskJobs, Upcaster } from '#kernel';
import { byRunner, DASHBOARD_READ_MODELS, deadLetterProjection, laneOfReadModels, READ_MODELS } from '#projections';
import { scansContext } from '#scans';
import { usageContext } from '#usage';
import { WEBHOOK_SCHEDULING, WEBHOOKS, webhooksContext } from '#webhooks';

/** All contexts. The engines, the tools and the metrics know only what is in this list. */
export const CONTEXTS: readonly ContextDefinition[] = [
  agenciesContext,
  creatorsContext,
  impersonationsContext,
  casesContext,
  scansContext,
  deindexingContext,
  usageContext,
  eventFeedContext,
  webhooksContext,
];

/** How the streams of each category fold into a state. The feed and the seals have no decider. */
export const DECIDERS: ReadonlyMap<string, AnyDecider> = new Map(
  // A stream's category determines its events, and so the decider that folds it.
  [deadLetterDecider, ...CONTEXTS.flatMap(({ deciders }) => deciders)].map((decider) => [decider.category, decider]),
);

/** How the events of all contexts are stored, in the shape that `stores` expects. */
export const STORED_EVENTS: { readonly upcasters: readonly Upcaster[]; readonly recordsShapes: ReadonlySet<string> } = {
  upcasters: CONTEXTS.flatMap(({ upcasters }) => upcasters),
  recordsShapes: new Set([EVENT_FEED]),
};

const TASK_RULES = CONTEXTS.flatMap(({ taskRules }) => (taskRules === null ? [] : [taskRules]));

export const TASK_JOBS: TaskJobs = Object.assign({}, ...CONTEXTS.map(({ taskJobs }) => taskJobs));

export const TASK_KINDS: readonly string[] = taskKindsOf(TASK_RULES);

export const taskProjection = taskProjectionOf(TASK_RULES);

/**
 * A store without transactions writes them in this order: dead letters first and tasks last, so that a job finds the
 * documents that it needs.
 */
export const ALL_PROJECTIONS: readonly Projection[] = [
  deadLetterProjection,
  ...CONTEXTS.flatMap(({ projections }) => projections),
  taskProjection,
];

export const OTHER_COLLECTIONS: readonly CollectionDefinition[] = CONTEXTS.flatMap(({ collections }) => collections);

const CONSUMERS = CONTEXTS.flatMap(({ reactions, consumers }) => Object.entries({ ...reactions, ...consumers }));

export const LOG_CONSUMERS = CONSUMERS.map(([, consumer]) => consumer);

export const LOG_RUNNERS: readonly string[] = [...byRunner(ALL_PROJECTIONS).keys(), ...CONSUMERS.map(([name]) => name)];

const EFFECTS = CONSUMERS.map(([name]) => name).filter((name) => name !== WEBHOOK_SCHEDULING);

/**
 * Consumers that follow the log together, with one checkpoint. Answers to writes wait for `views` and `effects`. `deliveries`
 * handles a page after `views`, so that it knows each endpoint that was registered before an event (D84).
 */
export const LANES: readonly {
  readonly name: string;
  readonly runners: readonly string[];
  readonly behind?: string;
  readonly isAwaited?: false;
}[] = [
  { name: laneOfReadModels(READ_MODELS), runners: [READ_MODELS] },
  { name: 'effects', runners: EFFECTS },
  { name: 'deliveries', runners: [WEBHOOK_SCHEDULING], behind: laneOfReadModels(READ_MODELS), isAwaited: false },
  { name: laneOfReadModels(DASHBOARD_READ_MODELS), runners: [DASHBOARD_READ_MODELS], isAwaited: false },
];

export const LANE_NAMES: readonly string[] = LANES.map(({ name }) => name);

const LANE_OF = new Map(LANES.flatMap(({ name, runners }) => runners.map((runner) => [runner, name])));

export const laneOf = (runner: string): string => LANE_OF.get(runner) ?? runner;

/** Bulk work waits for these, because they serve agencies. The dashboard's read models are for people. */
export const SERVING_RUNNERS: readonly string[] = LOG_RUNNERS.filter((runner) => runner !== DASHBOARD_READ_MODELS);

/** A write's answer waits for these. No answer shows whether a delivery has been scheduled. */
export const VIEWS: readonly string[] = SERVING_RUNNERS.filter((runner) => runner !== WEBHOOK_SCHEDULING);

export const RUNNERS: readonly string[] = [...LOG_RUNNERS, DUE_WORK, WEBHOOKS];
