import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EventLog } from '#kernel';
import { droppedLogLines } from './logger.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface CallReport {
  readonly operation: string;
  readonly outcome: string;
  readonly durationMs: number;
}

interface RefusedReport {
  readonly kind: string;
  readonly records: readonly unknown[];
}

/** Names and values contain no data about agencies or persons. */
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = this.histogram('http_request_duration_seconds', 'Requests by route, method and status.', [
    'route',
    'method',
    'status',
  ]);
  private readonly calls = this.histogram(
    'provider_call_duration_seconds',
    'Calls to outside systems by operation and outcome.',
    ['operation', 'outcome'],
  );
  private readonly refusals = this.counter(
    'provider_records_refused_total',
    'Records from outside systems that were left out because they break a limit or the contract, by kind.',
    ['kind'],
  );
  private readonly slotsUnknown = this.counter(
    'platform_slots_unknown_total',
    "Slots on the platform's lists whose users the log does not know; each comparison counts them.",
  );
  private readonly appends = this.counter(
    'events_appended_total',
    'Events appended to the log by category of their stream and outcome.',
    ['category', 'outcome'],
  );
  private readonly deadLetters = this.counter(
    'runner_set_aside_total',
    'Items that runners of this process could not process and have set aside.',
    ['runner'],
  );
  private readonly refusedCheckpoints = this.counter(
    'runner_checkpoint_refused_total',
    'How often a runner of this process started over, because its documents belong to another log.',
    ['runner'],
  );

  constructor() {
    new Counter({
      name: 'log_lines_dropped_total',
      help: 'Log messages that could not be written to standard error, or that nobody has read.',
      registers: [this.registry],
      collect() {
        this.reset();
        this.inc(droppedLogLines());
      },
    });
  }

  nameBuild(build: { readonly version: string; readonly commit: string }): void {
    const help = 'Always 1; the labels name the version and the commit of the process.';
    const labelNames = ['version', 'commit'];
    new Gauge({ name: 'build_info', help, labelNames, registers: [this.registry] }).set({ ...build }, 1);
  }

  /** Also measures the process itself, which costs a little; so it runs only if the metrics are served. */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  request(route: string, method: string, status: number, seconds: number): void {
    this.requests.observe({ route, method, status }, seconds);
  }

  call = ({ operation, outcome, durationMs }: CallReport): void => {
    this.calls.observe({ operation, outcome }, durationMs / 1_000);
  };

  refused = ({ kind, records }: RefusedReport): void => {
    this.refusals.inc({ kind }, records.length);
  };

  unknownSlots = (count: number): void => {
    this.slotsUnknown.inc(count);
  };

  /**
   * `runners` that have set nothing aside, and `logRunners` whose checkpoint was never refused (D92), are at 0, so that an
   * alert can be set on them.
   */
  watchRunners(runners: readonly string[], logRunners: readonly string[]): void {
    for (const runner of runners) this.deadLetters.inc({ runner }, 0);
    for (const runner of logRunners) this.refusedCheckpoints.inc({ runner }, 0);
  }

  recordDeadLetter = (runner: string): void => {
    this.deadLetters.inc({ runner });
  };

  checkpointRefused = (runner: string): void => {
    this.refusedCheckpoints.inc({ runner });
  };

  counting(log: EventLog): EventLog {
    const count = (stream: string, outcome: string, by: number) =>
      this.appends.inc({ category: stream.slice(0, stream.indexOf('-')), outcome }, by);
    return {
      append: async (stream, expected, events) => {
        try {
          const appended = await log.append(stream, expected, events);
          count(stream, 'appended', events.length);
          return appended;
        } catch (error) {
          count(stream, 'refused', events.length);
          throw error;
        }
      },
      changesSince: (after) => log.changesSince?.(after),
      tail: log.tail,
      readStream: (stream, options) => log.readStream(stream, options),
      readLog: (options) => log.readLog(options),
      follow: (options) => log.follow(options),
      head: () => log.head(),
      close: () => log.close(),
    };
  }

  gauge(name: string, help: string, label: string, read: () => Promise<ReadonlyMap<string, number>>): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      async collect() {
        for (const [value, figure] of await read()) this.set({ [label]: value }, figure);
      },
    });
  }

  private counter(name: string, help: string, labelNames: readonly string[] = []) {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram(name: string, help: string, labelNames: readonly string[]) {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }
}
