import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { Visits } from '../access/visits.js';
import { LiveChanges } from './live-changes.js';

/** Server-sent events: the names of what an open page should fetch again. */
@Controller('dashboard/api/live')
export class LiveController {
  constructor(
    private readonly changes: LiveChanges,
    private readonly visits: Visits,
  ) {}

  @Read()
  live(@Visitor() visit: Visit, @Res() reply: FastifyReply): void {
    const { raw: response } = reply;
    const { opened, agencyId, workspaceId } = visit;
    const mayGoOn = () => this.visits.mayGoOn(visit, 'read');
    this.changes.open({ sessionId: opened.session.id, agencyId, workspaceId, response, mayGoOn });
    reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value);
    response.writeHead(200);
    response.write('retry: 2000\n\n');
  }
}
