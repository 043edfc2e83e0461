import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'undici';
import { Relay } from '../../libs/document-store/src/mongodb/testing/relay.js';
import { judgeFeed } from './kill/feed-judge.js';
import { Load } from './kill/load.js';
import { judgeCalls, judgeEffects } from './kill/platform-judge.js';
import { collect, type Evidence, judgeAcknowledged, judgeScans, unsettled } from './kill/service-judge.js';
import type { AgencyClient } from './support/agency-client.js';
import { linked } from './support/creators.js';
import type { AppProcess } from './support/processes.js';
import { Random } from './support/random.js';
import { type SharedStores, sharedStores } from './support/shared-stores.js';
import { AGENCY, Stage } from './support/stage.js';
import { until, untilNothingOpen } from './support/until.js';
import { HookReceiver } from './webhooks/hook-receiver.js';

/** How long a store is away, in milliseconds. */
const AWAY = Number(process.env.CRASH_OUTAGE ?? 12_000);
const SEED = Number(process.env.CRASH_SEED ?? 7);
const ANSWERED_WITHIN = 20_000;
const BACK_WITHIN = 60_000;
const SETTLED_WITHIN = 100_000;
/** Bytes that a process may grow by while a store is away: V8 lets garbage lie, and what lives stays as it was. */
const GROWTH = 300 * 2 ** 20;
const PROBES_APART = 250;
/** FerretDB on SQLite does some hundred writes a second. */
const IN_FLIGHT = 4;

/** The log level of errors. */
const ERROR = 50;

const say = (text: string) => process.stdout.write(`${text}\n`);

const isServed = process.env.E2E_EVENT_LOG === 'eventstoredb' && process.env.E2E_DOCUMENTS === 'mongodb';

if (!isServed) {
  test.skip('a store that disappears, as E2E_EVENT_LOG and E2E_DOCUMENTS ask for embedded ones', () => undefined);
} else {
  describe('a store that disappears under load', () => {
    const receiver = new HookReceiver();
    let stores: SharedStores;
    let stage: Stage;
    let load: Load;
    let client: AgencyClient;
    let processes: readonly AppProcess[];
    let ways: { readonly log: Relay; readonly documents: Relay };
    let creatorId: string;
    let workspaceId: string;

    beforeAll(async () => {
      stores = await sharedStores();
      const { EVENTSTOREDB_URL = '', MONGODB_URL = '' } = stores.environment;
      ways = { log: await Relay.to(EVENTSTOREDB_URL), documents: await Relay.to(MONGODB_URL) };
      await receiver.start();
      stage = await Stage.open({
        ...stores.environment,
        EVENTSTOREDB_URL: ways.log.url,
        MONGODB_URL: ways.documents.url,
        PROVIDER_TIMEOUT: '5s',
        CREATOR_SYNC_EVERY: '10s',
        CASE_SYNC_EVERY: '60s',
        WEBHOOK_TARGETS: 'any',
        WEBHOOK_BACKOFF: '500ms,1s,3s,8s',
      });
      await stage.agency({ total_slots: 10_000 });
      await stage.platform.control('PATCH', '/settings', { leaks_per_handle: 1, scan_duration_ms: 150 });
      const account = await stage.openAccount();
      workspaceId = account.workspaceId;
      const register = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
      receiver.secret = (await stage.runTool<{ secret: string }>(...register)).secret;
      processes = [stage.start('api'), stage.start('worker')];
      const [url = ''] = await Promise.all(processes.map((process) => process.ready()));
      client = stage.client(url, account.secret);
      creatorId = await linked(client, workspaceId, (await stage.members(1))[0] ?? '');
      const members = await stage.members(60, { leaks_each: 1 });
      load = new Load(new Random(SEED), workspaceId, members, stage.platform, IN_FLIGHT);
      load.start();
      load.serve(client);
      await until('a load to speak of', async () => load.acknowledged >= 40, 60_000);
    }, 120_000);

    afterAll(async () => {
      await stage.close();
      for (const way of Object.values(ways)) way.close();
      await receiver.kill();
      await stores.stop();
    });

    /** A request's synchronization has its budget (D80), which a store that is away uses up as well. */
    const isExpected = (err: unknown): boolean =>
      /^\{"type":"StoreUnavailable"|"message":"the (synchronization takes too long|read models have not reached)/.test(
        JSON.stringify(err) ?? '',
      );

    /** Returns logged failures that neither an unreachable store nor a resulting delay explains (D80). */
    const otherFailures = (): string[] =>
      processes.flatMap(({ logs }) =>
        logs.filter(({ level, err }) => level >= ERROR && !isExpected(err)).map((line) => JSON.stringify(line)),
      );

    const rss = () => processes.map(({ pid }) => Number(/VmRSS:\s+(\d+) kB/.exec(statusOf(pid))?.[1]) * 1_024);
    const health = async (what: 'live' | 'ready') => {
      const { statusCode, body } = await request(`${client.url}/health/${what}`);
      return { status: statusCode, text: await body.text() };
    };

    const goesOn = async (): Promise<void> => {
      const { acknowledged } = load;
      const delivered = receiver.kept.size;
      await untilNothingOpen(
        async () => [
          ...(load.acknowledged > acknowledged + 10 ? [] : ['no requests are acknowledged']),
          ...(receiver.kept.size > delivered ? [] : ['no webhooks are delivered']),
        ],
        BACK_WITHIN,
      );
      // FerretDB can be behind by more than a second for as long as there is load.
      load.hold();
      await untilNothingOpen(async () => {
        const { status, text } = await health('ready');
        return status === 200 ? [] : [`not ready: ${text}`];
      }, BACK_WITHIN);
      load.serve(client);
    };

    test.each([
      ['the event log', 'cannot be reached', () => ways.log.cut(), () => ways.log.heal()],
      ['the event log', 'answers nothing', () => ways.log.hang(), () => ways.log.heal()],
      ['the document store', 'cannot be reached', () => ways.documents.cut(), () => ways.documents.heal()],
      ['the document store', 'answers nothing', () => ways.documents.hang(), () => ways.documents.heal()],
    ] as const)(
      'is answered in time and reported, and work continues after it: %s %s',
      async (store, how, lose, heal) => {
        const before = rss();
        const answers: { readonly status: number; readonly body: object; readonly took: number }[] = [];
        const probes: Promise<void>[] = [];
        const probe = async (send: () => Promise<{ status: number; body: object }>): Promise<void> => {
          const began = performance.now();
          const { status, body } = await send();
          answers.push({ status, body, took: performance.now() - began });
        };
        lose();
        const began = performance.now();
        const notReady = until('it is not ready', async () => (await health('ready')).status === 503, AWAY);
        while (performance.now() - began < AWAY) {
          probes.push(probe(() => client.creator(creatorId)));
          probes.push(probe(() => client.pageOfEvents()));
          probes.push(probe(() => client.update(creatorId, { aliases: [`Alias ${probes.length}`] })));
          expect((await health('live')).status).toBe(200);
          await delay(PROBES_APART);
        }
        await notReady;
        const during = rss();
        heal();
        const healed = performance.now();
        await Promise.all(probes);
        await goesOn();
        const took = answers.map((answer) => answer.took).toSorted((one, other) => one - other);
        const refused = answers.filter(({ status }) => status === 503);
        const growth = during.map((bytes, index) => Math.round((bytes - (before[index] ?? 0)) / 2 ** 20));
        say(
          `  ${store} ${how} for ${AWAY} ms: ${answers.length} requests, ${refused.length} of them 503, ` +
            `within ${Math.round(took.at(-1) ?? 0)} ms (half within ${Math.round(took[took.length >> 1] ?? 0)} ms); ` +
            `grew by ${growth.join(' and ')} MiB; all went on ${Math.round(performance.now() - healed)} ms after`,
        );
        expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
        for (const { body } of refused) {
          expect(body).toEqual({
            error: { code: expect.any(String), message: expect.any(String) },
            request_id: expect.any(String),
          });
        }
        expect(refused.length).toBeGreaterThan(0);
        expect(took.at(-1)).toBeLessThan(ANSWERED_WITHIN);
        for (const [index, bytes] of during.entries()) expect(bytes - (before[index] ?? 0)).toBeLessThan(GROWTH);
      },
      AWAY + 2 * BACK_WITHIN + 60_000,
    );

    test('loses nothing and does nothing twice', async () => {
      await load.stop();
      await untilNothingOpen(async () => {
        await load.repeat(client);
        return load.unacknowledged.map(({ name }) => name);
      }, SETTLED_WITHIN);
      let evidence: Evidence | undefined;
      await untilNothingOpen(async () => {
        evidence = await collect(client, stage, load.subjects);
        return unsettled(evidence);
      }, SETTLED_WITHIN);
      if (evidence === undefined) throw new Error('nothing was collected');
      say(`  ${load.subjects.length} creators, ${evidence.scans.size} scans, ${evidence.feed.length} events`);
      expect(otherFailures()).toEqual([]);
      expect(load.complaints).toEqual([]);
      expect(judgeAcknowledged(evidence, load.subjects)).toEqual([]);
      expect(judgeScans(evidence)).toEqual([]);
      expect(judgeFeed(evidence, load.subjects)).toEqual([]);
      expect(judgeCalls(await stage.calls())).toEqual([]);
      expect(judgeEffects(await stage.effects(), await stage.state(), load.subjects)).toEqual([]);
      const ids = evidence.feed.map(({ id }) => id);
      await until('all are delivered', async () => ids.every((id) => receiver.kept.has(id)), 60_000);
      expect(receiver.faults).toEqual([]);
    }, 240_000);
  });
}

const statusOf = (pid: number): string => readFileSync(`/proc/${pid}/status`, 'utf8');
