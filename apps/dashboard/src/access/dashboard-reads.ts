import type { ServerResponse } from 'node:http';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { finalize, type Observable } from 'rxjs';
import { type AgencyId, DomainError, type Duration, FairSemaphore, nextPart, SECOND } from '#kernel';
import type { DashboardRequest, Visit } from './visit.js';

const READS_OF_AGENCY = 2;
/** More agencies than read at the same time. */
const MAX_AGENCIES = 10_000;
/** How long a read waits for others of its agency. */
const PATIENCE: Duration = 30 * SECOND;

type Reader = Pick<Visit, 'agencyId' | 'context'>;

/** Few reads of one agency at a time, however many sessions it has, and by turns among its people (D109). */
@Injectable()
export class DashboardReads {
  private readonly ofAgencies = new LRUCache<AgencyId, FairSemaphore>({
    max: MAX_AGENCIES,
    memoMethod: () => new FairSemaphore({ perAgency: READS_OF_AGENCY, total: READS_OF_AGENCY }),
  });

  /** A part of an answer that is sent while it is read. */
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
      const patience = { timeout: PATIENCE, signal: left.signal };
      const permit = await this.ofAgencies.memo(agencyId).acquire(context.actor, patience);
      if (permit === undefined) throw tooMany();
      await nextPart();
      return permit;
    } finally {
      response.off('close', leave);
    }
  }
}

const tooMany = () => new DomainError('rate_limited', { retryAfterSeconds: 1 });

/** Lets a read begin when it may. */
@Injectable()
export class ReadInTurn implements NestInterceptor {
  constructor(private readonly reads: DashboardReads) {}

  async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = host.switchToHttp();
    const { visitor } = http.getRequest<DashboardRequest>();
    if (visitor === undefined) throw new Error('the route has no agency');
    const permit = await this.reads.begin(visitor, http.getResponse<FastifyReply>().raw);
    return next.handle().pipe(finalize(() => permit.release()));
  }
}
