import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CreatorProtection } from '#client';
import type { Effects } from '../../apps/platform-sandbox/src/index.js';
import { BadProxy } from './client/bad-proxy.js';
import { agencyStory, Calls, deindexStory, invitedStory, linkedStory, nothingAsked } from './client/calls.js';
import { differences, judgeCalls } from './kill/platform-judge.js';
import { ok } from './support/agency-client.js';
import { activated } from './support/creators.js';
import { Random } from './support/random.js';
import { Stage } from './support/stage.js';
import { until } from './support/until.js';

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
/** 11, 5, 2 and 6 calls each: 2,000 in all. */
const STORIES = { linked: 112, invited: 74, deindexed: 76, agency: 41 };
const CALLS = 11 * STORIES.linked + 5 * STORIES.invited + 2 * STORIES.deindexed + 6 * STORIES.agency;
const IN_FLIGHT = 32;
/** The number of results between two kills. */
const KILL_EVERY = 300;
const TIMEOUT = 60_000;

const random = new Random(SEED);
const say = (text: string) => process.stdout.write(`${text}\n`);

describe('2,000 calls by the client, through a proxy that loses answers, of a service that is killed', () => {
  let stage: Stage;
  let proxy: BadProxy;
  let effects: Effects;
  const calls = new Calls();
  const asked = nothingAsked();
  const followed: string[] = [];
  let listed: readonly string[] = [];
  let kills = 0;
  let retries = 0;
  let elapsed = 0;

  beforeAll(async () => {
    stage = await Stage.open();
    await stage.agency({ total_slots: 1_000 });
    const { workspaceId, secret } = await stage.openAccount();
    let standalone = stage.start('standalone');
    const url = await standalone.ready();
    const { caseIds, first } = await findings(stage, url, secret, workspaceId);
    const members = await stage.members(STORIES.linked);
    proxy = await BadProxy.start(random);
    proxy.passTo(url);

    const options = { baseUrl: proxy.url, apiKey: secret };
    const client = new CreatorProtection({ ...options, onRetry: () => (retries += 1) });
    const backend = { client, calls, asked, workspaceId };
    const stories = shuffled([
      ...members.map((userId, n) => () => linkedStory(backend, userId, n)),
      ...Array.from({ length: STORIES.invited }, (_, n) => () => invitedStory(backend, n)),
      ...caseIds.map((caseId) => () => deindexStory(backend, caseId)),
      ...Array.from({ length: STORIES.agency }, () => () => agencyStory(backend)),
    ]);

    const began = performance.now();
    const end = new AbortController();
    const following = follow(new CreatorProtection(options), end.signal, followed);
    const work = Promise.all(Array.from({ length: IN_FLIGHT }, () => inTurn(stories)));
    let isDone = false;
    void work.then(() => {
      isDone = true;
    });
    for (let next = KILL_EVERY; !isDone; next += KILL_EVERY) {
      await until('more results', async () => isDone || calls.count >= next, TIMEOUT);
      if (isDone) break;
      await standalone.kill();
      kills += 1;
      standalone = stage.start('standalone');
      proxy.passTo(await standalone.ready());
    }
    await work;
    elapsed = performance.now() - began;
    asked.active.push(first);
    await until(
      'all is submitted and scanned',
      async () => {
        effects = await stage.effects();
        const { submissions, scan_jobs } = effects;
        return (
          Object.keys(submissions).length >= STORIES.deindexed && Object.keys(scan_jobs).length > asked.scans.length
        );
      },
      TIMEOUT,
    );
    const direct = new CreatorProtection({ ...options, baseUrl: await standalone.ready() });
    listed = (await direct.events.list().toArray()).map(({ id }) => id);
    await until('the follower is at the end', async () => followed.length >= listed.length, TIMEOUT);
    end.abort();
    await following;
  }, 480_000);

  afterAll(async () => {
    await stage.close();
    await proxy.stop();
  });

  test('each call has a known result', () => {
    say(figures());
    expect(calls.complaints).toEqual([]);
    expect(calls.count).toBe(CALLS);
    expect(kills).toBeGreaterThanOrEqual(5);
    expect(retries).toBeGreaterThan(200);
  });

  test('the platform saw each effect once', async () => {
    expect(judgeCalls(await stage.calls())).toEqual([]);
    const more = [
      effects.mails,
      effects.scan_jobs,
      effects.submissions,
      effects.impersonations,
      effects.withdrawals,
    ].flatMap((counts) => Object.entries(counts).filter(([, count]) => count !== 1));
    expect(more).toEqual([]);
    expect(Object.keys(effects.impersonations)).toHaveLength(STORIES.linked);
    expect(new Set(asked.reported).size).toBe(STORIES.linked);
    expect(differences('submitted', asked.deindexed, Object.keys(effects.submissions))).toEqual([]);
    expect(differences('withdrawn', asked.removed, Object.keys(effects.withdrawals))).toEqual([]);
  });

  test('each scan was queued once, and each invitation was mailed once and once more', () => {
    const others = Object.keys(effects.scan_jobs).filter((id) => !asked.scans.includes(id));
    // The one that was made before, for its findings.
    expect([new Set(asked.scans).size, others.length]).toEqual([STORIES.linked / 2, 1]);
    const mailed = Object.entries(effects.mails_by_invitation);
    expect(mailed.filter(([, count]) => count !== 2)).toEqual([]);
    expect(
      differences(
        'mailed',
        asked.resent,
        mailed.map(([id]) => id),
      ),
    ).toEqual([]);
  });

  test('each identity was written once for its link and once for its change, and protection is as it was set', async () => {
    const writes = asked.written.map((userId) => effects.identity_writes[userId]);
    expect(writes.filter((count) => count !== 2)).toEqual([]);
    const { slots } = await stage.state();
    expect(
      differences(
        'holds a slot',
        asked.active,
        slots.filter(({ api }) => api).map(({ user_id }) => user_id),
      ),
    ).toEqual([]);
  });

  test('the feed was followed through all of it, each event once and in order', async () => {
    expect(followed.slice(0, listed.length)).toEqual(listed);
  });

  const figures = (): string => {
    const sorted = calls.took.toSorted((one, other) => one - other);
    const at = (part: number) => `${Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0)} ms`;
    const struck = Object.entries(proxy.struck).map(([fault, count]) => `${fault} ${count}`);
    return [
      `calls through a bad proxy: CRASH_SEED=${SEED}`,
      `  ${calls.count} calls of ${Object.keys(calls.made).length} kinds in ${Math.round(elapsed / 1_000)} s, ${kills} kills`,
      `  ${retries} repeats; ${struck.join(', ')}`,
      `  to the result: median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}; ${followed.length} events followed`,
    ].join('\n');
  };
});

const inTurn = async (stories: (() => Promise<void>)[]): Promise<void> => {
  for (let story = stories.pop(); story !== undefined; story = stories.pop()) await story();
};

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);

const follow = async (client: CreatorProtection, signal: AbortSignal, seen: string[]): Promise<void> => {
  for await (const { id } of client.events.follow({ signal, pollInterval: 200 })) seen.push(id);
};

/** A creator whose scan has found what is to be deindexed. */
const findings = async (stage: Stage, url: string, secret: string, workspaceId: string) => {
  const client = stage.client(url, secret);
  const [first = ''] = await stage.members(1);
  const creatorId = await activated(client, workspaceId, first);
  const { id } = ok(await client.queueScan(creatorId, 'finds them'), 202);
  await until('the scan is over', async () => ok(await client.scan(id)).status === 'completed');
  const { svc_job_id } = ok(await client.scan(id));
  await stage.platform.control('POST', `/creators/${first}/leaks`, { count: STORIES.deindexed, job_id: svc_job_id });
  const cases = await client.cases(creatorId);
  return {
    first,
    caseIds: cases
      .filter(({ scan_id }) => scan_id !== null)
      .slice(0, STORIES.deindexed)
      .map((each) => each.id),
  };
};
