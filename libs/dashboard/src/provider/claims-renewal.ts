import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock, DomainError, type Duration, Logger, SECOND } from '#kernel';
import { personOf } from '../people/person.js';
import { claimsState, isRenewing, startRenewal } from '../sessions/session.js';
import { type OpenSession, Sessions } from '../sessions/sessions.js';
import { IdentityProvider, ProviderOptions } from './identity-provider.js';
import { LoginFailure } from './login-failure.js';

const POLL_INTERVAL: Duration = 100;
const MAX_WAIT: Duration = 10 * SECOND;

/** Renews a session's claims with the first request after ten minutes, and refuses claims of fifteen minutes. */
@Injectable()
export class ClaimsRenewal {
  /** Concurrent requests of one session share one renewal. */
  private readonly underWay = new Map<string, Promise<OpenSession | undefined>>();

  constructor(
    private readonly sessions: Sessions,
    private readonly provider: IdentityProvider,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly options: ProviderOptions,
  ) {}

  /** Returns the session with usable claims, or undefined if it has ended. */
  async renewed(opened: OpenSession): Promise<OpenSession | undefined> {
    const { session } = opened;
    const now = this.clock.now();
    const state = claimsState(session, now);
    if (state === 'fresh' || (state === 'due' && isRenewing(session, now))) return opened;
    const shared = this.underWay.get(session.id);
    if (shared !== undefined) return state === 'due' ? opened : shared;
    const renewal = this.renew(opened);
    this.underWay.set(session.id, renewal);
    return renewal.finally(() => this.underWay.delete(session.id));
  }

  private async renew(opened: OpenSession): Promise<OpenSession | undefined> {
    const now = this.clock.now();
    let isOurs = false;
    const claimed = await this.sessions.change(opened, (present) => {
      isOurs = present.claimsAt === opened.session.claimsAt && !isRenewing(present, now);
      return isOurs ? startRenewal(now) : {};
    });
    return claimed && (isOurs ? this.ask(claimed) : this.awaitOther(claimed));
  }

  private async ask(opened: OpenSession): Promise<OpenSession | undefined> {
    const { secret, session } = opened;
    try {
      const { claims, tokens } = await this.provider.renew(session.person.subject, await secret.open(session.tokens));
      const person = personOf(claims, this.options.claims);
      const sealed = await secret.seal(tokens);
      const claimsAt = this.clock.now();
      return await this.sessions.change(opened, () => ({ person, claimsAt, tokens: sealed, renewingUntil: 0 }));
    } catch (error) {
      if (!(error instanceof LoginFailure)) throw error;
      const { problem, reason } = error;
      const mayWait = problem === 'unavailable' && claimsState(session, this.clock.now()) === 'due';
      this.logger.warn({ reason }, `could not renew the claims of a session; it ${mayWait ? 'tries again' : 'ends'}`);
      if (mayWait) return opened;
      await this.sessions.end(secret);
      return undefined;
    }
  }

  /** Waits for the process that asks the provider. */
  private async awaitOther(opened: OpenSession): Promise<OpenSession | undefined> {
    const end = this.clock.elapsed() + MAX_WAIT;
    let present: OpenSession | undefined = opened;
    while (present !== undefined && claimsState(present.session, this.clock.now()) === 'stale') {
      if (this.clock.elapsed() >= end) throw new DomainError('provider_timeout');
      await delay(POLL_INTERVAL);
      present = await this.sessions.find(opened.secret);
    }
    return present;
  }
}
