import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '#configuration';
import { LANE_NAMES } from '#contexts';
import {
  type Checkpoint,
  type Position,
  type PublicEventId,
  streamName,
  type WebhookEndpointId,
  WORKER_LEASE,
} from '#kernel';
import { deliveryIdOf, webhookDeliveryDecider } from '#webhooks';
import { type OpenService, openService, type Services } from '../support/open-service.js';
import { Faults } from './kill/faults.js';
import { activeTime, judgeFeed } from './kill/feed-judge.js';
import { Load } from './kill/load.js';
import { judgeCalls, judgeEffects, type WakingUp } from './kill/platform-judge.js';
import { collect, type Evidence, judgeAcknowledged, judgeScans, unsettled } from './kill/service-judge.js';
import type { AgencyClient, EventBody } from './support/agency-client.js';
import { Fleet, FleetClient } from './support/fleet.js';
import type { AppProcess } from './support/processes.js';
import { Random } from './support/random.js';
import { type SharedStores, sharedStores } from './support/shared-stores.js';
import { AGENCY, Stage } from './support/stage.js';
import { until, untilNothingOpen } from './support/until.js';
import { HookReceiver, hashOf } from './webhooks/hook-receiver.js';

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const KILLS = Number(process.env.CRASH_KILLS ?? 6);
/** Operations acknowledged before the first kill, and between two of them. */
const WARM_UP = 60;
const BETWEEN = 10;
const MEMBERS = 60;
const SETTLED_WITHIN = 100_000;
const TAKEN_OVER_WITHIN = 7_500;
const WAKES_UP_WITHIN = 3_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

describe('two APIs and three workers on the same stores', () => {
  /** Kills have a separate generator, so that they depend on the seed but not on the requests of the load. */
  const [random, choices] = [new Random(SEED), new Random(SEED + 1)];
  const receiver = new HookReceiver();
  let stores: SharedStores;
  let stage: Stage;
  let fleet: Fleet;
  let load: Load;
  let faults: Faults;
  let client: AgencyClient;
  let opened: OpenService;
  let services: Services;
  let evidence: Evidence;
  let wakingUp: WakingUp | undefined;
  let workspaceId: string;
  let secret: string;
  let endpointId: WebhookEndpointId;

  beforeAll(async () => {
    stores = await sharedStores();
    say(`a fleet on ${stores.name}: CRASH_SEED=${SEED}`);
    await receiver.start();
    stage = await Stage.open({
      ...stores.environment,
      // FerretDB on SQLite, where this runs on it, does some hundred writes a second: there has to be time for others.
      CREATOR_SYNC_EVERY: stores.isEmbedded ? '3s' : '10s',
      CASE_SYNC_EVERY: stores.isEmbedded ? '10s' : '60s',
      PROVIDER_TIMEOUT: '5s',
      RATE_LIMIT_PER_MINUTE: '1000000',
      WEBHOOK_TARGETS: 'any',
      WEBHOOK_BACKOFF: '500ms,1s,3s,8s',
    });
    await stage.agency({ total_slots: 1_000 });
    await stage.platform.control('PATCH', '/settings', { leaks_per_handle: 1, scan_duration_ms: 150 });
    ({ workspaceId, secret } = await stage.openAccount());
    const register = ['webhooks', 'register', '--agency', AGENCY, '--url', receiver.url];
    const endpoint = await stage.runTool<{ id: WebhookEndpointId; secret: string }>(...register);
    [endpointId, receiver.secret] = [endpoint.id, endpoint.secret];
    opened = await openService(readConfig(stage.environment));
    services = opened.services;
    faults = new Faults(stage, choices);
    await faults.start();
    fleet = new Fleet(stage, 2, 3);
    await fleet.ready();
    client = new FleetClient(fleet, stage, secret, choices);
    const members = await stage.members(MEMBERS, { leaks_each: 1 });
    load = new Load(choices, workspaceId, members, stage.platform, stores.isEmbedded ? 16 : 4);
  }, 120_000);

  afterAll(async () => {
    for (const trouble of fleet.troubles()) say(`  ${trouble}`);
    // Also after a failure nothing goes on that needs the platform.
    await load.stop();
    await faults.end();
    await opened.close();
    await stage.close();
    await receiver.kill();
    await stores.stop();
  });

  const leader = async (): Promise<AppProcess | undefined> => {
    const pid = (await services.documents.lease(WORKER_LEASE))?.holder.split('/')[1];
    return fleet.workers.find((worker) => String(worker.pid) === pid);
  };

  test('are killed one after the other under load', async () => {
    load.start();
    load.serve(client);
    await until('a load to speak of', async () => load.acknowledged >= WARM_UP, 60_000);
    const killed: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await delay(random.between(50, 500));
      const { app, again } = await fleet.killOne(random);
      killed.push(app);
      const before = load.acknowledged;
      // Now and then the next is killed while this one has not come back yet.
      if (random.chance(0.6)) await again;
      again.catch(() => undefined);
      await until('the others go on', async () => load.acknowledged >= before + BETWEEN, 60_000);
    }
    await fleet.ready();
    say(`  killed ${killed.join(', ')}; ${load.acknowledged} operations acknowledged`);
  }, 240_000);

  test('take over from a leader that is stopped, within seconds, and it writes nothing when it wakes up', async () => {
    // It is there and renews nothing: as on a machine that is lost, nobody can see that it is dead.
    await until('one leads', async () => (await leader()) !== undefined);
    const [worker, before] = [await leader(), await services.documents.lease(WORKER_LEASE)];
    if (worker === undefined) throw new Error('nobody leads');
    await stage.pause(worker);
    const began = performance.now();
    try {
      const fence = async () => (await services.documents.lease(WORKER_LEASE))?.fence ?? 0;
      await until('another leads', async () => (await fence()) > (before?.fence ?? 0), 30_000);
      const took = performance.now() - began;
      say(`  another worker led after ${Math.round(took)} ms`);
      expect(took).toBeLessThan(TAKEN_OVER_WITHIN);
      expect(await leader()).not.toBe(worker);
    } finally {
      // As the platform's log has the time.
      const now = Date.now();
      wakingUp = { from: now, to: now + WAKES_UP_WITHIN };
      worker.goOn();
    }
    const checkpoints = () => Promise.all(LANE_NAMES.map((name) => services.documents.checkpoint(name)));
    const positions = (all: readonly (Checkpoint | undefined)[]): Position[] => all.map((one) => one?.position ?? 0);
    const positionsBefore = positions(await checkpoints());
    const acknowledged = load.acknowledged;
    await until('the load goes on', async () => load.acknowledged > acknowledged + BETWEEN, 60_000);
    for (const [index, position] of positions(await checkpoints()).entries()) {
      expect(position).toBeGreaterThanOrEqual(positionsBefore[index] ?? 0);
    }
  }, 120_000);

  test('have nothing left to do after a while', async () => {
    await load.stop();
    await faults.end();
    await untilNothingOpen(async () => {
      await load.repeat(client);
      return load.unacknowledged.map(({ name }) => name);
    }, SETTLED_WITHIN);
    await untilNothingOpen(async () => {
      evidence = await collect(client, stage, load.subjects);
      return unsettled(evidence);
    }, SETTLED_WITHIN);
    expect(load.complaints).toEqual([]);
  }, 240_000);

  test('have lost nothing and done nothing twice', async () => {
    say(`  ${load.subjects.length} creators, ${evidence.scans.size} scans, ${evidence.feed.length} events`);
    expect(judgeAcknowledged(evidence, load.subjects)).toEqual([]);
    expect(judgeScans(evidence)).toEqual([]);
    expect(judgeFeed(evidence, load.subjects)).toEqual([]);
    expect(judgeCalls(await stage.calls(), wakingUp)).toEqual([]);
    expect(judgeEffects(await stage.effects(), await stage.state(), load.subjects)).toEqual([]);
  });

  test('have metered active time once, to the millisecond', async () => {
    const usage = await client.api.usage.get();
    const protection = evidence.feed.filter(({ type }) => type.startsWith('protection.'));
    // A run over the end of a month would have to be split there.
    if (protection.some(({ created_at }) => created_at < Date.parse(usage.period_start))) return;
    expect(usage.creator_seconds * 1_000).toBeCloseTo(activeTime(protection, Date.parse(usage.measured_through)), 3);
    expect(usage.active_creator_count).toBe(new Set(protection.map(({ data }) => data.creator_id)).size);
  });

  test('have kept the one order of the feed, which a reader that went on through every crash has seen', async () => {
    const ids = (events: readonly EventBody[]) => events.map(({ id }) => id);
    const [again, inSmallPages] = [await client.events(), await client.events(37)];
    // It may have grown between the two: the worker still walks the leaks of invitees that were onboarded.
    expect(ids(inSmallPages).slice(0, again.length)).toEqual(ids(again));
    expect(ids(again).slice(0, evidence.feed.length)).toEqual(ids(evidence.feed));
    expect(ids(again).slice(0, load.feed.length)).toEqual(ids(load.feed));
  });

  /** Describes the delivery of an event that has not arrived. */
  const deliveryOf = async (eventId: string): Promise<string> => {
    const id = deliveryIdOf(endpointId, eventId as PublicEventId);
    const events = await services.log.readStream(streamName(webhookDeliveryDecider.category, id));
    return `${eventId}: ${events.map(({ type, data }) => `${type} ${JSON.stringify(data)}`).join(', ')}`;
  };

  test('have delivered every event of the feed by webhook, with its bytes', async () => {
    const ids = evidence.feed.map(({ id }) => id);
    await untilNothingOpen(() => Promise.all(ids.filter((id) => !receiver.kept.has(id)).map(deliveryOf)), 60_000);
    say(`  ${receiver.requests} deliveries of ${receiver.kept.size} events`);
    expect(receiver.faults).toEqual([]);
    // Events that were published after the evidence was collected may still be in delivery.
    const expected = new Set<string>(ids);
    const listed = await client.events();
    const again = listed.filter(({ id }) => expected.has(id));
    expect(again).toHaveLength(ids.length);
    for (const event of again) expect(receiver.kept.get(event.id)?.bytes).toBe(hashOf(JSON.stringify(event)));
  }, 90_000);
});
