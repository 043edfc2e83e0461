import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EncryptJWT, jwtDecrypt } from 'jose';
import { ageOf, Clock, type Instant, MAX_CLOCK_SKEW } from '#kernel';
import type { WrappingKeys } from '#personal-data';
import { LOGIN_COOKIE_KEYS } from '../../../service/src/tokens.js';
import { DashboardCookies, LOGIN_TIMEOUT } from '../cookies.js';
import type { LoginChecks } from '../provider/identity-provider.js';

/** How many logins one browser may have under way, each in a separate tab. */
const MAX_LOGINS = 5;

export interface PendingLogin extends LoginChecks {
  /** The page that the person asked for. */
  readonly page: string;
  readonly startedAt: Instant;
}

/** Logins under way are in encrypted cookies of the browser that began them: the service keeps nothing of them. */
@Injectable()
export class LoginCookies {
  constructor(
    private readonly cookies: DashboardCookies,
    private readonly clock: Clock,
    @Inject(LOGIN_COOKIE_KEYS) private readonly keys: WrappingKeys,
  ) {}

  /** Adds one, and drops the oldest of too many. */
  async add(request: FastifyRequest, reply: FastifyReply, login: PendingLogin): Promise<void> {
    const others = await Promise.all(
      [...this.cookies.loginsIn(request).keys()].map((state) => this.find(request, state)),
    );
    // Browsers send the oldest cookie first.
    const known = others
      .filter((other) => other !== undefined)
      .reverse()
      .sort((one, other) => other.startedAt - one.startedAt);
    const kept = new Set(known.slice(0, MAX_LOGINS - 1).map(({ state }) => state));
    for (const state of this.cookies.loginsIn(request).keys()) {
      if (!kept.has(state)) this.cookies.clearLogin(reply, state);
    }
    const sealed = await new EncryptJWT({ ...login })
      .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
      .encrypt(this.keys.current);
    this.cookies.setLogin(reply, login.state, sealed);
  }

  /** The login of that `state`, if this browser began it within ten minutes. */
  async find(request: FastifyRequest, state: string): Promise<PendingLogin | undefined> {
    const sealed = this.cookies.loginsIn(request).get(state);
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
}
