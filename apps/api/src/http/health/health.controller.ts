import { Controller, Get, Inject, Query, Res, ServiceUnavailableException } from '@nestjs/common';
import { HealthCheckService, type HealthIndicatorResult, HealthIndicatorService } from '@nestjs/terminus';
import type { FastifyReply } from 'fastify';
import type { Duration } from '#kernel';
import type { Services } from '../../../../composition/src/index.js';
import { SERVICES } from '../../tokens.js';
import { OpenToAll } from '../access.js';
import { VIEWS } from '../read-your-writes.js';
import { NoQuery } from '../validation/page.query.js';

/** How long the projections may need to reach what the log held when they were asked, in milliseconds. */
const LAG: Duration = 1_000;

/** For orchestrators: no key is needed, and nothing of an agency is shown. */
@Controller('health')
export class HealthController {
  constructor(
    @Inject(SERVICES) private readonly services: Services,
    private readonly health: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** The process answers. */
  @Get('live')
  @OpenToAll()
  live(@Query() _query: NoQuery) {
    return { status: 'ok' };
  }

  /** The stores can be reached, and the projections are not behind. */
  @Get('ready')
  @OpenToAll()
  async ready(@Query() _query: NoQuery, @Res({ passthrough: true }) reply: FastifyReply) {
    const { log, documents, caughtUp } = this.services;
    try {
      return await this.health.check([
        () => this.isUp('event_log', () => log.head()),
        () => this.isUp('documents', () => documents.checkpoint('health')),
        () =>
          this.isUp('projections', async () => {
            if (!(await caughtUp(VIEWS, LAG))) throw new Error('behind');
          }),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      reply.status(503);
      return error.getResponse();
    }
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
