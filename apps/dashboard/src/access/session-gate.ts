import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { ClaimsRenewal, Sessions } from '#dashboard';
import { agencyId, Clock, DocumentStore, DomainError, invalidRequest, MINUTE, SECOND } from '#kernel';
import { DashboardAddress } from '../address.js';
import { DashboardCookies } from '../cookies.js';
import { type DashboardRequest, rightOf, type SignedIn } from './dashboard-session.js';
import { DashboardSessions } from './dashboard-sessions.js';

const MAX_REQUESTS_PER_MINUTE = 600;
const GUARDED = /^\/dashboard\/(?:api\/|logout$)/;

/** Requires a session for every route under `/dashboard/api`, before the body is parsed. API keys do not count. */
@Injectable()
export class SessionGate {
  constructor(
    host: HttpAdapterHost,
    private readonly sessions: Sessions,
    private readonly renewal: ClaimsRenewal,
    private readonly cookies: DashboardCookies,
    private readonly address: DashboardAddress,
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly inAgencies: DashboardSessions,
  ) {
    const fastify: FastifyInstance = host.httpAdapter.getInstance();
    fastify.addHook('onRequest', (request: DashboardRequest, _reply, done) => {
      if (!GUARDED.test(request.routeOptions.url ?? '')) return done();
      this.admit(request).then(() => done(), done);
    });
  }

  private async admit(request: DashboardRequest): Promise<void> {
    const signedIn = await this.open(request);
    request.signedIn = signedIn;
    request.isSessionLate = !request.raw.complete;
    await this.count(signedIn);
    if (request.method !== 'GET' && request.method !== 'HEAD') this.requireOwnPage(request, signedIn);
    const right = rightOf(request);
    if (right === undefined || right === 'session') return;
    request.checkHeaders = () => this.inAgencies.withRight(right, signedIn, request.id);
  }

  /** Opens the session of the request's cookie. Rejects with `session_required`. */
  async open(request: DashboardRequest): Promise<SignedIn> {
    const secret = this.cookies.secretIn(request);
    const found = secret && (await this.sessions.find(secret));
    const opened = found && (await this.renewal.renewed(found));
    if (opened === undefined) throw new DomainError('session_required');
    return { opened, chosen: request.signedIn?.chosen ?? takeAgency(request) };
  }

  private async count({ opened }: SignedIn): Promise<void> {
    const now = this.clock.now();
    const minute = Math.floor(now / MINUTE);
    const end = (minute + 1) * MINUTE;
    const used = await this.documents.increment(`dashboard:${opened.session.id}:${minute}`, 1, end);
    if (used <= MAX_REQUESTS_PER_MINUTE) return;
    throw new DomainError('rate_limited', { retryAfterSeconds: Math.ceil((end - now) / SECOND) });
  }

  /** Browsers name the origin of every change, and only the dashboard's own page has the token. */
  private requireOwnPage({ headers }: DashboardRequest, { opened }: SignedIn): void {
    const token = headers['x-csrf-token'];
    const isOwn = headers.origin === this.address.origin && opened.secret.isCsrfToken(token?.toString());
    if (!isOwn) throw new DomainError('forbidden');
  }
}

/** Every route takes `?agency=`, so it is removed from the query that the route sees. */
const takeAgency = (request: DashboardRequest): SignedIn['chosen'] => {
  const query: { agency?: unknown } = Object(request.query);
  const { agency } = query;
  if (agency === undefined) return undefined;
  delete query.agency;
  if (typeof agency !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(agency)) {
    throw invalidRequest({ field: 'agency', message: 'must be one agency id' });
  }
  return agencyId(agency);
};
