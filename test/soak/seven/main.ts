import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../../crash/support/random.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Account } from '../api-client.js';
import { type AnswerReport, Answers } from '../latencies.js';
import { WellBehavedAgency } from './agency.js';
import { type FeedEvent, FeedFollower } from './feed-follower.js';
import { Receiver } from './receiver.js';

export interface SevenSettings {
  readonly agencies: number;
}

/** The receivers' addresses. */
export interface SevenReady {
  readonly hooks: readonly string[];
}

export interface SevenRun {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** Requests of each agency. */
  readonly perMinute: number;
  readonly ms: number;
}

export interface SevenReport extends AnswerReport {
  readonly byAgency: readonly (readonly number[])[];
  readonly creators: number;
}

export interface Judgement {
  readonly events: number;
  readonly delivered: number;
  /** Events that are missing or out of order. */
  readonly losses: readonly string[];
}

/** How long the last events may take to be published and delivered. */
const SETTLED_WITHIN = 90_000;

const { agencies: count } = await settingsOf<SevenSettings>();
const receivers = Array.from({ length: count }, () => new Receiver());
let agencies: { readonly agency: WellBehavedAgency; readonly answers: Answers }[] = [];

const run = async ({ url, accounts, perMinute, ms }: SevenRun): Promise<SevenReport> => {
  agencies = accounts.map((account, n) => {
    const answers = new Answers();
    return { agency: new WellBehavedAgency(url, account, new Random(n + 1), answers), answers };
  });
  const over = AbortSignal.timeout(ms);
  await Promise.all(agencies.map(({ agency }) => agency.run(perMinute, over)));
  const reports = agencies.map(({ answers }) => answers.report);
  const counts: Record<string, number> = {};
  const p99s: Record<string, number> = {};
  for (const report of reports) {
    for (const [name, n] of Object.entries(report.counts)) counts[name] = (counts[name] ?? 0) + n;
    for (const [name, ms] of Object.entries(report.p99s)) p99s[name] = Math.max(p99s[name] ?? 0, ms);
  }
  return {
    durations: reports.flatMap(({ durations }) => durations),
    begins: reports.flatMap(({ begins }) => begins),
    counts,
    p99s,
    byAgency: reports.map(({ durations }) => [...durations]),
    creators: agencies.reduce((sum, { agency }) => sum + agency.creatorCount, 0),
  };
};

const judge = async (): Promise<Judgement> => {
  const judgements = await Promise.all(
    agencies.map(({ agency }, n) => judgeOne(agency, receivers[n]?.received ?? new Set())),
  );
  return {
    events: judgements.reduce((sum, { events }) => sum + events, 0),
    delivered: judgements.reduce((sum, { delivered }) => sum + delivered, 0),
    losses: judgements.flatMap(({ losses }) => losses),
  };
};

/** Reads the whole feed again: it has to be what was followed, publish each change, and have been delivered. */
const judgeOne = async (agency: WellBehavedAgency, received: ReadonlySet<string>): Promise<Judgement> => {
  await agency.finishScans();
  const deadline = performance.now() + SETTLED_WITHIN;
  const whole = new FeedFollower(agency.api);
  const hear = (event: FeedEvent) => agency.changes.heard(event);
  await whole.finish(hear);
  while (agency.changes.missing.length > 0 && performance.now() < deadline) {
    await delay(1_000);
    await whole.finish(hear);
  }
  const notDelivered = () => whole.seen.filter((id) => !received.has(id));
  while (notDelivered().length > 0 && performance.now() < deadline) await delay(500);
  const { seen } = agency.feed;
  const gap = seen.findIndex((id, at) => whole.seen[at] !== id);
  return {
    events: whole.seen.length,
    delivered: whole.seen.length - notDelivered().length,
    losses: [
      ...agency.changes.missing.map((change) => `not in the feed: ${change}`),
      ...(gap < 0 ? [] : [`the feed as it was followed differs at event ${gap}, ${seen[gap]}`]),
      ...notDelivered().map((id) => `not delivered: ${id}`),
    ],
  };
};

process.on('message', (message) => {
  const order = message as SevenRun | { readonly judge: true };
  const work: Promise<object> = 'judge' in order ? judge() : run(order);
  work.then(sendToParent);
});
sendToParent({ hooks: await Promise.all(receivers.map((receiver) => receiver.listen())) } satisfies SevenReady);
