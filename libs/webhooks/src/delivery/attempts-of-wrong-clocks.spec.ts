import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { AgencyAccess } from '#agencies';
import type { VisibleEvents } from '#event-feed';
import { ClockWatch, Leases, SetAsides } from '#jobs';
import { CommandRunner, DAY, type Duration, HOUR, MINUTE, SECOND, silentLogger, streamName } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog } from '#testing';
import { Projecting } from '../../../projections/src/read-models/projected.fixtures.js';
import { contextOf } from '../../../testing/src/tested-context.js';
import type { SignedSending } from '../application/signed-sending.js';
import { WebhookDeliveryRepository } from '../application/webhook-delivery.repository.js';
import { WebhookEndpointRepository } from '../application/webhook-endpoint.repository.js';
import { MAX_ATTEMPTS } from '../domain/retry-wait.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { DeliveryList, deliveryListProjection } from '../read-models/delivery-list.js';
import { endpointId, order, registered, scheduled } from '../webhook.fixtures.js';
import { EndpointDispatcher } from './endpoint-dispatcher.js';
import { WebhookAttempts } from './webhook-attempts.js';

const START = 1_767_225_600_000;
const BACKOFF = [MINUTE, 10 * MINUTE];
const STEP = SECOND;
const LEASE_TTL = 6 * SECOND;
const never = new AbortController().signal;
const stream = streamName('webhookDelivery', order.deliveryId);

/** One delivery whose attempts all fail, on one log; each process has a clock that is wrong by so much. */
class Processes {
  readonly sentAfter: Duration[] = [];
  private readonly store = new InMemoryDocumentStore();
  private readonly log = new InMemoryEventLog();
  private readonly deliveries = new Projecting(deliveryListProjection);
  private passed: Duration = 0;
  private processes: ReturnType<Processes['process']>[] = [];
  private projected = 0;

  constructor(private readonly clocks: readonly FakeClock[]) {
    const append = this.log.append.bind(this.log);
    this.log.append = async (...appended) => {
      const result = await append(...appended);
      await this.project();
      for (const process of this.processes) process.dispatcher.notify();
      return result;
    };
  }

  /** Starts the process, or starts it again. */
  async start(number: number): Promise<void> {
    const clock = this.clocks[number];
    if (clock === undefined) return;
    const process = this.process(clock, `host-${number}/1/1/`);
    this.processes[number] = process;
    await process.watch.check();
  }

  async schedule(): Promise<void> {
    const runner = new CommandRunner(this.log, new FakeClock(START));
    await runner.run(webhookEndpointDecider, endpointId, contextOf(), () => [registered]);
    await runner.run(webhookDeliveryDecider, order.deliveryId, contextOf(), () => [scheduled]);
  }

  /** Each process checks its clock and attempts what is due; then time passes. */
  async step(): Promise<void> {
    for (const { watch, leases, dispatcher } of this.processes) {
      await watch.check();
      await leases.acquire('runner', LEASE_TTL);
      await dispatcher.run(never, watch.isInDoubt);
    }
    this.passed += STEP;
    for (const clock of this.clocks) clock.advance(STEP);
  }

  private process(clock: FakeClock, holder: string) {
    const runner = new CommandRunner(this.log, clock);
    const watch = new ClockWatch(clock, this.log, silentLogger);
    const leases = new Leases(this.store, clock, holder, watch);
    const events = {
      read: async () => new Map(),
      ruleFor: async () => () => ({ kind: 'visible', bytes: 'bytes' }),
    } as unknown as VisibleEvents;
    const access = { verify: async () => ({ binding: { epoch: 1 } }) } as unknown as AgencyAccess;
    const sending = {
      send: async () => {
        this.sentAfter.push(this.passed);
        const outcome = { kind: 'refused', status: 500 } as const;
        return { outcome, timing: { sentAt: clock.now(), ms: 0 }, headers: {} };
      },
    } satisfies Pick<SignedSending, 'send'> as unknown as SignedSending;
    const attempts = new WebhookAttempts(
      events,
      new WebhookDeliveryRepository(runner),
      new WebhookEndpointRepository(runner),
      access,
      sending,
      new SetAsides(runner),
      watch,
      { backoff: BACKOFF },
    );
    const backlog = new DeliveryList(this.deliveries.readModel);
    return { watch, leases, dispatcher: new EndpointDispatcher(endpointId, backlog, attempts, clock, silentLogger) };
  }

  private async project(): Promise<void> {
    const events = await this.log.readStream(stream, { from: this.projected });
    for (const { type, data, metadata } of events) {
      await this.deliveries.record(stream, { type, data } as WebhookDeliveryEvent, metadata.at);
    }
    this.projected += events.length;
  }
}

const wrongBy = fc.constantFrom(
  -300 * DAY,
  -HOUR,
  -11 * MINUTE,
  -30 * SECOND,
  0,
  30 * SECOND,
  11 * MINUTE,
  HOUR,
  300 * DAY,
);
const restarts = fc.array(fc.nat(1_500), { maxLength: 3 });
const jumps = fc.array(fc.record({ step: fc.nat(1_500), process: fc.nat(1), by: wrongBy }), { maxLength: 4 });
/** What clocks may differ without being wrong, and what a check and a renewed wait add. */
const [MAX_EARLY, MAX_LATE] = [2 * SECOND, 5 * SECOND];

it('with wrong clocks in any of two processes (D93), no retry is early, and none later than its wait after it was seen', () =>
  fc.assert(
    fc.asyncProperty(fc.tuple(wrongBy, wrongBy), jumps, restarts, async (wrong, jumping, restarted) => {
      const clocks = wrong.map((by) => new FakeClock(START + by));
      const processes = new Processes(clocks);
      for (const n of clocks.keys()) await processes.start(n);
      await processes.schedule();
      for (let n = 0; n < 2_700 && processes.sentAfter.length < MAX_ATTEMPTS; n++) {
        for (const { step, process, by } of jumping) if (step === n) clocks[process]?.jump(by);
        // The second process: the first one has the lease.
        if (restarted.includes(n)) await processes.start(1);
        await processes.step();
      }
      const waits = processes.sentAfter.slice(1).map((at, n) => at - (processes.sentAfter[n] ?? 0));
      expect(waits).toHaveLength(MAX_ATTEMPTS - 1);
      for (const [n, wait] of waits.entries()) {
        const planned = BACKOFF[n] ?? 10 * MINUTE;
        expect(wait).toBeGreaterThanOrEqual(0.8 * planned - MAX_EARLY);
        expect(wait).toBeLessThanOrEqual(1.2 * planned + MAX_LATE);
      }
    }),
    { numRuns: 15 },
  ));
