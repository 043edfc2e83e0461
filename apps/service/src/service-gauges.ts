import { Injectable } from '@nestjs/common';
import { LOG_RUNNERS, RUNNERS, TASK_KINDS } from '#contexts';
import { CommandTasks } from '#jobs';
import { CLOCK_FAULTS, Clock, ClockWatch, EventLog, LanePositions, UnknownCollection } from '#kernel';
import { Metrics } from '#observability';
import { DeadLetterList, MAX_COUNTED_DEAD_LETTERS } from '#projections';
import { LastSeals } from '#tamper-evidence';
import { DeliveryTasks } from '#webhooks';

/** Larger numbers are shown as this one. */
const MAX_COUNTED = 1_000;

/** D92: a gauge has no value while the read model that it counts is discarded; the others are shown. */
const unlessDiscarded = (error: unknown): [] => {
  if (error instanceof UnknownCollection) return [];
  throw error;
};

/** The gauges of the operators' listener. Each reads its value when it is requested. */
@Injectable()
export class ServiceGauges {
  constructor(
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    private readonly log: EventLog,
    private readonly progress: LanePositions,
    private readonly deadLetters: DeadLetterList,
    private readonly commandTasks: CommandTasks,
    private readonly deliveries: DeliveryTasks,
    private readonly lastSeals: LastSeals,
    private readonly clockWatch: ClockWatch,
  ) {}

  register(): void {
    this.watchRunners();
    this.watchTasks();
    this.watchWebhooks();
    this.watchSeals();
    this.watchClock();
  }

  private watchRunners(): void {
    const { metrics, log, progress, deadLetters } = this;
    metrics.watchRunners(RUNNERS, LOG_RUNNERS);
    const lag = 'How far each runner is behind the end of the log, in positions.';
    metrics.gauge('runner_lag', lag, 'runner', async () => progress.lags(LOG_RUNNERS, await log.head()));
    const help = `Items that each runner has set aside, up to ${MAX_COUNTED_DEAD_LETTERS} each.`;
    metrics.gauge('runner_set_aside', help, 'runner', async () => {
      const counts = await deadLetters.countByRunner();
      return new Map(RUNNERS.map((runner) => [runner, counts.get(runner) ?? 0]));
    });
  }

  private watchTasks(): void {
    const { metrics, commandTasks, clock } = this;
    const help = `Tasks that are ready, by kind, up to ${MAX_COUNTED}.`;
    metrics.gauge('due_work', help, 'kind', async () => {
      const now = clock.now();
      const counts = TASK_KINDS.map(
        async (kind) => [kind, (await commandTasks.readyOfKind(kind, now, MAX_COUNTED)).length] as const,
      );
      return new Map(await Promise.all(counts).catch(unlessDiscarded));
    });
  }

  private watchClock(): void {
    const help = '1 if the clock of this process may be wrong: it was set within ten minutes, or is behind the log.';
    this.metrics.gauge('clock_fault', help, 'fault', async () => {
      const { faults } = this.clockWatch;
      return new Map(CLOCK_FAULTS.map((fault) => [fault, faults.includes(fault) ? 1 : 0]));
    });
  }

  /** D91: the same in all processes, whichever of them seals. */
  private watchSeals(): void {
    const help = '1 if nothing is sealed, because the log lacks the seal that the key store remembers.';
    this.metrics.gauge('sealing_stopped', help, 'fault', async () => {
      const missing = await this.lastSeals.missing();
      return new Map([['seals_missing', missing === undefined ? 0 : 1]]);
    });
  }

  /** Retries to a dead endpoint wait by D60. Deliveries that are due but not sent show that the worker is behind. */
  private watchWebhooks(): void {
    const help = 'Endpoints with pending deliveries: due now, and due later.';
    this.metrics.gauge('webhook_endpoints_waiting', help, 'due', async () => {
      const now = this.clock.now();
      const { tasks, kind } = this.deliveries;
      const waiting = await Array.fromAsync(tasks.firstOfLanes(kind)).catch(unlessDiscarded);
      const due = waiting.filter(({ readyAt }) => readyAt <= now).length;
      return new Map([
        ['now', due],
        ['later', waiting.length - due],
      ]);
    });
  }
}
