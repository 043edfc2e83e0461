import { fastifyCookie } from '@fastify/cookie';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { type LoginChecks, type OpenSession, SessionSecret } from '#dashboard';
import { ageOf, Clock, type Duration, type Instant, MAX_CLOCK_SKEW, MINUTE, SECOND } from '#kernel';
import type { WrappingKeys } from '#personal-data';
import { LOGIN_COOKIE_KEYS } from '../../service/src/tokens.js';
import { DashboardAddress } from './address.js';

const LOGIN_TIMEOUT: Duration = 10 * MINUTE;
/** Pending logins of one browser, each in a separate tab. */
const MAX_LOGINS = 5;

interface PendingLogin extends LoginChecks {
  /** The page that the person asked for. */
  readonly page: string;
  readonly startedAt: Instant;
}

/** The cookies of the session and of pending logins. Scripts cannot read them. Logins are encrypted, and stored nowhere else. */
@Injectable()
export class DashboardCookies {
  private readonly session: string;
  private readonly login: string;
  private readonly attributes;

  constructor(
    host: HttpAdapterHost,
    address: DashboardAddress,
    private readonly clock: Clock,
    @Inject(LOGIN_COOKIE_KEYS) private readonly keys: WrappingKeys,
  ) {
    const fastify: FastifyInstance = host.httpAdapter.getInstance();
    // Requests of agencies have no cookies, so no hook parses them.
    fastify.register(fastifyCookie, { hook: false });
    // Browsers refuse the prefix on http, which is for loopback.
    this.session = address.isSecure ? '__Host-session' : `session-${address.port}`;
    this.login = address.isSecure ? '__Host-login-' : `login-${address.port}-`;
    this.attributes = { path: '/', httpOnly: true, secure: address.isSecure, sameSite: 'lax' } as const;
  }

  secretIn(request: FastifyRequest): SessionSecret | undefined {
    return SessionSecret.parse(cookiesOf(request).get(this.session));
  }

  /** The cookie ends with the browser; the session in the store ends long before that. */
  setSession(reply: FastifyReply, { secret }: OpenSession): void {
    this.set(reply, this.session, secret.text);
  }

  clearSession(reply: FastifyReply): void {
    this.set(reply, this.session, '', 0);
  }

  /** Adds a login, and drops the oldest of too many. */
  async addLogin(request: FastifyRequest, reply: FastifyReply, login: PendingLogin): Promise<void> {
    const states = [...cookiesOf(request).keys()]
      .filter((name) => name.startsWith(this.login))
      .map((name) => name.slice(this.login.length));
    const others = await Promise.all(states.map((state) => this.findLogin(request, state)));
    // Browsers send the oldest cookie first.
    const known = others
      .filter((other) => other !== undefined)
      .reverse()
      .sort((one, other) => other.startedAt - one.startedAt);
    const kept = new Set(known.slice(0, MAX_LOGINS - 1).map(({ state }) => state));
    for (const state of states) if (!kept.has(state)) this.clearLogin(reply, state);
    const sealed = await new EncryptJWT({ ...login })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.keys.current);
    this.set(reply, this.login + login.state, sealed, LOGIN_TIMEOUT / SECOND);
  }

  /** Finds the login with the `state`, if this browser started it within ten minutes. */
  async findLogin(request: FastifyRequest, state: string): Promise<PendingLogin | undefined> {
    const sealed = cookiesOf(request).get(this.login + state);
    if (sealed === undefined) return undefined;
    for (const key of this.keys.all) {
      const opened = await jwtDecrypt<PendingLogin>(sealed, key).catch(() => undefined);
      if (opened === undefined) continue;
      const { page, nonce, verifier, startedAt } = opened.payload;
      const isPending =
        opened.payload.state === state && ageOf(startedAt, this.clock.now(), MAX_CLOCK_SKEW) < LOGIN_TIMEOUT;
      return isPending ? { state, page, nonce, verifier, startedAt } : undefined;
    }
    return undefined;
  }

  clearLogin(reply: FastifyReply, state: string): void {
    this.set(reply, this.login + state, '', 0);
  }

  private set(reply: FastifyReply, name: string, value: string, maxAge?: number): void {
    const attributes = { ...this.attributes, ...(maxAge !== undefined && { maxAge }) };
    reply.header('set-cookie', reply.server.serializeCookie(name, value, attributes));
  }
}

const cookiesOf = ({ server, headers }: FastifyRequest): ReadonlyMap<string, string> =>
  new Map(Object.entries(server.parseCookie(headers.cookie ?? '') as Record<string, string>));
