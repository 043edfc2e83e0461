import { fastifyCookie } from '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type OpenSession, SessionSecret } from '#dashboard';
import { type Duration, MINUTE, SECOND } from '#kernel';
import { DashboardAddress } from './address.js';

export const LOGIN_TIMEOUT: Duration = 10 * MINUTE;

/** The cookies of the session and of logins under way. Scripts cannot read them. */
@Injectable()
export class DashboardCookies {
  private readonly session: string;
  private readonly login: string;
  private readonly attributes;

  constructor(host: HttpAdapterHost, address: DashboardAddress) {
    const fastify: FastifyInstance = host.httpAdapter.getInstance();
    // Requests of agencies have no cookies to look for.
    fastify.register(fastifyCookie, { hook: false });
    // On http, which is for loopback, browsers refuse the prefix.
    this.session = address.isSecure ? '__Host-session' : `session-${address.port}`;
    this.login = address.isSecure ? '__Host-login-' : `login-${address.port}-`;
    this.attributes = { path: '/', httpOnly: true, secure: address.isSecure, sameSite: 'lax' } as const;
  }

  secretIn(request: FastifyRequest): SessionSecret | undefined {
    return SessionSecret.parse(cookiesOf(request).get(this.session));
  }

  /** It ends with the browser, and in the store long before that. */
  setSession(reply: FastifyReply, { secret }: OpenSession): void {
    this.set(reply, this.session, secret.text, undefined);
  }

  clearSession(reply: FastifyReply): void {
    this.set(reply, this.session, '', 0);
  }

  /** The sealed logins under way, by their `state`. */
  loginsIn(request: FastifyRequest): ReadonlyMap<string, string> {
    const ours = [...cookiesOf(request)].filter(([name]) => name.startsWith(this.login));
    return new Map(ours.map(([name, value]) => [name.slice(this.login.length), value]));
  }

  setLogin(reply: FastifyReply, state: string, sealed: string): void {
    this.set(reply, this.login + state, sealed, LOGIN_TIMEOUT / SECOND);
  }

  clearLogin(reply: FastifyReply, state: string): void {
    this.set(reply, this.login + state, '', 0);
  }

  private set(reply: FastifyReply, name: string, value: string, maxAge: number | undefined): void {
    const lifetime = maxAge === undefined ? {} : { maxAge };
    reply.header('set-cookie', reply.server.serializeCookie(name, value, { ...this.attributes, ...lifetime }));
  }
}

const cookiesOf = ({ server, headers }: FastifyRequest): ReadonlyMap<string, string> =>
  new Map(Object.entries(server.parseCookie(headers.cookie ?? '') as Record<string, string>));
