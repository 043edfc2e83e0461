import { agenciesContext } from '#agencies';
import { casesContext } from '#cases';
import { creatorsContext } from '#creators';
import { deindexingContext } from '#deindexing';
import { EVENT_FEED, eventFeedContext, PUBLISHER } from '#event-feed';
import { impersonationsContext } from '#impersonations';
import { type AnyDuePlan, DUE_WORK, dueKindsOf, dueWorkProjectionOf, setAsideDecider } from '#jobs';
import type { AnyDecider, CollectionDefinition, ContextDefinition, Projection, Upcaster } from '#kernel';
import { READ_MODELS, setAsideProjection } from '#projections';
import { scansContext } from '#scans';
import { usageContext } from '#usage';
import { WEBHOOK_SCHEDULING, WEBHOOKS, webhooksContext } from '#webhooks';

/** All contexts. What is in none of them does not exist for the engines, the tools and the metrics. */
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

/** How the streams of each category add up to a state; streams without a decider (the feed, seals) have none. */
export const DECIDERS: ReadonlyMap<string, AnyDecider> = new Map(
  // A stream's category says which events it has, and so which of them folds it.
  ([setAsideDecider, ...CONTEXTS.flatMap(({ deciders }) => deciders)] as unknown as readonly AnyDecider[]).map(
    (decider) => [decider.category, decider],
  ),
);

/** How the events of all contexts are stored, as `stores` wants it. */
export const STORED_EVENTS: { readonly upcasters: readonly Upcaster[]; readonly recordsShapes: ReadonlySet<string> } = {
  upcasters: CONTEXTS.flatMap(({ upcasters }) => upcasters),
  recordsShapes: new Set([EVENT_FEED]),
};

// Each plan is written for its own events; the list keeps them together.
const DUE_PLANS = CONTEXTS.flatMap(({ dueWork }) => dueWork ?? []) as readonly AnyDuePlan[];

/** What a worker does when it is due; each kind has its job. */
export const DUE_KINDS: readonly string[] = dueKindsOf(DUE_PLANS);

/** All that waits to be done, and when. */
export const dueWorkProjection = dueWorkProjectionOf(DUE_PLANS);

/**
 * A store without transactions writes them in this order: what was set aside first, and what is due last, so that a job
 * finds the documents that it needs.
 */
export const ALL_PROJECTIONS: readonly Projection[] = [
  setAsideProjection,
  ...CONTEXTS.flatMap(({ projections }) => projections),
  dueWorkProjection,
];

/** Collections that no projection writes. */
export const OTHER_COLLECTIONS: readonly CollectionDefinition[] = CONTEXTS.flatMap(({ collections }) => collections);

/** The names of all reactions of the contexts. */
const REACTIONS = CONTEXTS.flatMap(({ reactions }) => Object.keys(reactions));

/** What an agency can read of a write: lists, feed, usage, and what a pause cancels. */
export const VIEWS: readonly string[] = [READ_MODELS, PUBLISHER, ...REACTIONS];

/** All that follows the log. */
export const LOG_RUNNERS: readonly string[] = [...VIEWS, WEBHOOK_SCHEDULING];

/** All that may set something aside (D67). */
export const RUNNERS: readonly string[] = [...LOG_RUNNERS, DUE_WORK, WEBHOOKS];
