import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ClockWatch, Leases } from '#jobs';
import { DAY, type Duration, HOUR, MINUTE, SECOND, silentLogger } from '#kernel';
import { FakeClock } from '#testing';
import { linked, mia } from '../../../creators/src/domain/creator.fixtures.js';
import { eventIdAt, publishAt } from '../../../event-feed/src/domain/event-feed.fixtures.js';
import { given } from '../../../testing/src/test-ports.module.js';
import { contextOf, type TestedContext, testedContext } from '../../../testing/src/tested-context.js';
import { SecretCipher } from '../application/secret-cipher.js';
import { WebhookSender } from '../application/webhook-sender.js';
import { MAX_ATTEMPTS } from '../domain/retry-wait.js';
import type { WebhookDeliveryEvent } from '../domain/webhook-delivery.events.js';
import { webhookDeliveryDecider } from '../domain/webhook-delivery.js';
import type { WebhookEndpointEvent } from '../domain/webhook-endpoint.events.js';
import { webhookEndpointDecider } from '../domain/webhook-endpoint.js';
import { DeliveryList } from '../read-models/delivery-list.js';
import { endpointId, order, registration } from '../webhook.fixtures.js';
import { WebhooksModule } from '../webhooks.module.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { EndpointDispatcher } from './endpoint-dispatcher.js';
import { WebhookAttempts } from './webhook-attempts.js';

const START = new FakeClock().now();
const BACKOFF = [MINUTE, 10 * MINUTE];
const STEP = SECOND;
const LEASE_TTL = 6 * SECOND;
const never = new AbortController().signal;

/** One delivery whose attempts all fail, on one log; each process has a clock that is wrong by so much. */
class Processes {
  readonly sentAfter: Duration[] = [];
  private passed: Duration = 0;
  private processes: Awaited<ReturnType<Processes['process']>>[] = [];

  private constructor(
    /** Its clock is right, and it sends nothing. */
    private readonly right: TestedContext,
    private readonly clocks: readonly FakeClock[],
  ) {
    const { log } = right;
    const append = log.append.bind(log);
    log.append = async (...appended) => {
      const result = await append(...appended);
      await right.project();
      for (const process of this.processes) process.dispatcher.notify();
      return result;
    };
  }

  static async of(clocks: readonly FakeClock[]): Promise<Processes> {
    const right = await testedContext([WebhooksModule]);
    await right.creatorDid(mia, ...linked);
    await publishAt(right.log, 0);
    return new Processes(right, clocks);
  }

  /** Starts the process, or starts it again. */
  async start(number: number): Promise<void> {
    const clock = this.clocks[number];
    if (clock === undefined) return;
    const process = await this.process(clock);
    this.processes[number] = process;
    await process.watch.check();
  }

  async schedule(): Promise<void> {
    const { get, runner } = this.right;
    const encryptedSecret = get(SecretCipher).encrypt(registration, 'whsec_1');
    const registered: WebhookEndpointEvent = {
      type: 'webhookEndpoint.registered.v2',
      data: { ...registration, encryptedSecret },
    };
    const scheduled: WebhookDeliveryEvent = {
      type: 'webhookDelivery.scheduled.v1',
      data: { ...order, eventId: eventIdAt(0), feedRevision: 0 },
    };
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

  private async process(clock: FakeClock) {
    const { log, documents } = this.right;
    const sender: WebhookSender = {
      send: async () => {
        this.sentAfter.push(this.passed);
        return { kind: 'refused', status: 500 };
      },
      close: async () => undefined,
    };
    const replaced = [given(WebhookSender, sender), given(WebhooksOptions, { backoff: BACKOFF })];
    const { get } = await testedContext([WebhooksModule], replaced, { log, documents, clock });
    const [backlog, attempts] = [get(DeliveryList), get(WebhookAttempts)];
    const dispatcher = new EndpointDispatcher(endpointId, backlog, attempts, clock, silentLogger);
    return { watch: get(ClockWatch), leases: get(Leases), dispatcher };
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
      const processes = await Processes.of(clocks);
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
