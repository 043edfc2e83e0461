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

/** What operators watch. Names and values contain no data of agencies or persons. */
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly calls = new Histogram({
    name: 'provider_call_duration_seconds',
    help: 'Calls of the outside systems by operation and outcome.',
    labelNames: ['operation', 'outcome'],
    buckets: SECONDS,
    registers: [this.registry],
  });
  private readonly refusals = new Counter({
    name: 'provider_records_refused_total',
    help: 'Records of the outside systems that break a bound or the contract and were left out, by kind.',
    labelNames: ['kind'],
    registers: [this.registry],
  });
  private readonly slotsUnknown = new Counter({
    name: 'platform_slots_unknown_total',
    help: 'Slots on the lists of the platform that belong to users whom the log does not know; each comparison counts them.',
    registers: [this.registry],
  });
  private readonly appends = new Counter({
    name: 'events_appended_total',
    help: 'Events appended to the log by category of their stream and outcome.',
    labelNames: ['category', 'outcome'],
    registers: [this.registry],
  });

  private readonly deadLetters = new Counter({
    name: 'runner_set_aside_total',
    help: 'What runners of this process could not process and have set aside.',
    labelNames: ['runner'],
    registers: [this.registry],
  });

  private readonly refusedCheckpoints = new Counter({
    name: 'runner_checkpoint_refused_total',
    help: 'How often a runner of this process began again from the start, because its documents are of another log.',
    labelNames: ['runner'],
    registers: [this.registry],
  });

  constructor() {
    new Counter({
      name: 'log_lines_dropped_total',
      help: 'Lines of the log that could not be written to standard error, or that nobody has read.',
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

  /** The log, with a counter of its appends. */
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

  /** A gauge whose value is read when it is requested. */
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
}
