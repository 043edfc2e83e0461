import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import { LOG_RUNNERS, RUNNERS } from '#contexts';
import { Public } from '#http';
import { Leader } from '#jobs';
import { ClockWatch, DocumentStore, type Duration, EventLog, SECOND } from '#kernel';
import { RunnerHealth } from '#projections';
import { LastSeals } from '#tamper-evidence';

/** D70: readiness is computed at most this often, for all callers together. */
const READINESS_INTERVAL: Duration = SECOND;

interface Readiness {
  readonly status: 200 | 503;
  readonly body: object;
}

/** For orchestrators. It needs no key, and shows no agency's data. */
@Controller('health')
export class HealthController {
  private computed: { readonly readiness: Promise<Readiness>; readonly at: number } | undefined;

  constructor(
    private readonly log: EventLog,
    private readonly documents: DocumentStore,
    private readonly runnerHealth: RunnerHealth,
    private readonly lastSeals: LastSeals,
    private readonly clockWatch: ClockWatch,
    private readonly leader: Leader,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  @Get('live')
  @Public()
  live() {
    return { status: 'ok' };
  }

  /** D68: this process can serve if its stores can be reached. Runners that lag do not make an API unready. */
  @Get('ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { status, body } = await this.readiness();
    reply.status(status);
    return body;
  }

  private readiness(): Promise<Readiness> {
    const now = performance.now();
    if (this.computed === undefined || now - this.computed.at >= READINESS_INTERVAL) {
      this.computed = { readiness: this.compute(), at: now };
    }
    return this.computed.readiness;
  }

  private async compute(): Promise<Readiness> {
    const { log, documents } = this;
    try {
      const checked = await this.health.check([
        () => this.isUp('event_log', () => log.head()),
        () => this.isUp('documents', () => documents.checkpoint('health')),
      ]);
      return {
        status: 200,
        body: { ...checked, role: this.leader.role, ...(await this.runners().catch(() => UNKNOWN)) },
      };
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      return { status: 503, body: Object(error.getResponse()) };
    }
  }

  private async runners() {
    const { isDegraded, deadLetters, runners } = await this.runnerHealth.status(RUNNERS, LOG_RUNNERS);
    const shown = runners.map(({ name, lag, ...runner }) => {
      return [name, { ...(lag !== undefined && { lag }), set_aside: runner.deadLetters }];
    });
    const sealsMissing = (await this.lastSeals.missing()) !== undefined;
    const { faults } = this.clockWatch;
    return {
      status: isDegraded || sealsMissing || faults.length > 0 ? 'degraded' : 'ok',
      seals_missing: sealsMissing,
      clock_faults: faults,
      set_aside: deadLetters,
      runners: Object.fromEntries(shown),
    };
  }

  private async isUp(name: string, look: () => Promise<unknown>): Promise<HealthIndicatorResult> {
    const indicator = this.indicators.check(name);
    try {
      await look();
      return indicator.up();
    } catch {
      return indicator.down();
    }
  }
}

/** The stores answer, but the state of the runners is unknown. */
const UNKNOWN = { status: 'degraded' };
