import type { ServerResponse } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { finalize, type Observable } from 'rxjs';
import { type AgencyId, DomainError, type Duration, FairSemaphore, nextPart, SECOND } from '#kernel';
import type { DashboardRequest, DashboardSession } from './dashboard-session.js';

const READS_PER_AGENCY = 2;
/** More agencies than read concurrently. */
const MAX_AGENCIES = 10_000;
const MAX_WAIT: Duration = 30 * SECOND;

type Reader = Pick<DashboardSession, 'agencyId' | 'context'>;

/** Limits the concurrent reads of an agency over all its sessions, and lets its people take turns (D109). */
@Injectable()
export class DashboardReads {
  private readonly ofAgencies = new LRUCache<AgencyId, FairSemaphore>({
    max: MAX_AGENCIES,
    memoMethod: () => new FairSemaphore({ perAgency: READS_PER_AGENCY, total: READS_PER_AGENCY }),
  });

  /** Reads part of an answer that is already being sent. */
  part<T>({ agencyId, context }: Reader, read: () => Promise<T>): Promise<T> {
    return this.ofAgencies.memo(agencyId).run(context.actor, async () => {
      await nextPart();
      return read();
    });
  }

  /** Resolves when the read may begin. A client that leaves gives up its place. */
  async begin({ agencyId, context }: Reader, response: Pick<ServerResponse, 'destroyed' | 'once' | 'off'>) {
    const left = new AbortController();
    const leave = () => left.abort(tooMany());
    if (response.destroyed) leave();
    response.once('close', leave);
    try {
      const wait = { timeout: MAX_WAIT, signal: left.signal };
      const permit = await this.ofAgencies.memo(agencyId).acquire(context.actor, wait);
      if (permit === undefined) throw tooMany();
      await nextPart();
      return permit;
    } finally {
      response.off('close', leave);
    }
  }
}

const tooMany = () => new DomainError('rate_limited', { retryAfterSeconds: 1 });

@Injectable()
export class ReadInTurn implements NestInterceptor {
  constructor(private readonly reads: DashboardReads) {}

  async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = host.switchToHttp();
    const { currentUser } = http.getRequest<DashboardRequest>();
    if (currentUser === undefined) throw new Error('the route has no agency');
    const permit = await this.reads.begin(currentUser, http.getResponse<FastifyReply>().raw);
    return next.handle().pipe(finalize(() => permit.release()));
  }
}
