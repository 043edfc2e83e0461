import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { readConfig } from '#configuration';
import { agencyId, type CreatorId, DAY, HOUR, type Instant, MINUTE, streamName } from '#kernel';
import { eventually } from '#testing';
import type { SandboxClient } from '../../../apps/platform-sandbox/src/index.js';
import { operator } from '../../e2e/support/operator.js';
import { TestClock } from '../../e2e/support/test-clock.js';
import { bindAgency, issueKey } from '../../support/agency-commands.js';
import { openService } from '../../support/open-service.js';
import type { Environment } from '../../support/tool.js';

const AGENCY = agencyId('agency_demo');

/** A month that has passed, and so has the next one. */
const now = new Date();
export const START = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1);
export const END = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);

export interface PastCreator {
  readonly id: string;
  readonly display_name: string;
  readonly eligible: boolean;
  readonly svc_user_id: string;
}
export type PastCreators = Readonly<Record<'late' | 'atBorder' | 'clockAhead' | 'returned', PastCreator>>;

/** The service in the past, by a clock that is set, with the demo agency and a key. */
class Past {
  private constructor(
    private readonly clock: TestClock,
    private readonly platform: SandboxClient,
    private readonly opened: Awaited<ReturnType<typeof openService>>,
    private readonly secret: string,
    private readonly started: { readonly url: string; readonly pollers: readonly { notify(): void }[] },
  ) {}

  static async open(environment: Environment, platform: SandboxClient, since: Instant): Promise<Past> {
    const clock = new TestClock();
    clock.jump(since - clock.now());
    const opened = await openService(readConfig(environment), { clock });
    await bindAgency(opened.services, AGENCY, operator());
    const request = { preset: 'read_write', lifetime: 'none' } as const;
    const { secret } = await issueKey(opened.services, AGENCY, request, operator());
    return new Past(clock, platform, opened, secret, await opened.start());
  }

  at(instant: Instant): void {
    this.clock.advance(instant - this.clock.now());
  }

  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const headers = { authorization: `Bearer ${this.secret}`, ...(body && { 'content-type': 'application/json' }) };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.started.url}/v1${path}`, init);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  }

  protect({ id }: PastCreator, status: 'active' | 'paused'): Promise<unknown> {
    return this.call('PUT', `/creators/${id}/protection`, { status });
  }

  change({ svc_user_id }: PastCreator, body: object): Promise<unknown> {
    return this.platform.control('PATCH', `/creators/${svc_user_id}`, body);
  }

  /** Lets minutes pass until it is recorded; a clock that is set does not wake the worker. */
  becomes(type: string, { id }: PastCreator): Promise<void> {
    const look = async () => {
      await this.call('GET', '/creators?limit=100');
      const events = await this.opened.services.log.readStream(streamName('creator', id as CreatorId));
      expect(events.map((event) => event.type)).toContain(type);
    };
    const betweenPolls = async () => {
      this.clock.advance(MINUTE);
      for (const poller of this.started.pollers) poller.notify();
      await delay(20);
    };
    return eventually(look, { betweenPolls });
  }

  close(): Promise<void> {
    return this.opened.close();
  }
}

/** Puts a month into the data of a service, with what makes its amount hard to follow. */
export const pastMonth = async (environment: Environment, platform: SandboxClient): Promise<PastCreators> => {
  const past = await Past.open(environment, platform, START + DAY);
  const { data } = await past.call<{ data: readonly PastCreator[] }>('GET', '/creators?limit=100');
  const [late, atBorder, clockAhead, returned] = data.filter(({ eligible }) => eligible);
  if (!late || !atBorder || !clockAhead || !returned) throw new Error('too few creators are eligible');

  await past.protect(clockAhead, 'active');
  // The clock is three hours ahead when the creator is observed, and right again at the pause.
  past.at(START + DAY + 5 * HOUR);
  await past.change(clockAhead, { aliases: ['seen by a clock that is ahead'] });
  await past.call('GET', `/creators/${clockAhead.id}`);
  past.at(START + DAY + 2 * HOUR);
  await past.protect(clockAhead, 'paused');

  await past.protect(returned, 'active');
  await past.change(returned, { agency_id: null });
  past.at(START + 2 * DAY);
  // Hidden when it is missing for the first time, and gone with the second; then its slot is released.
  for (const fact of ['memberNotFound', 'membershipEnded', 'slotReleased']) {
    await past.becomes(`creator.${fact}.v1`, returned);
  }
  await past.change(returned, { agency_id: AGENCY });
  past.at(START + 3 * DAY);
  await past.becomes('creator.returned.v1', returned);
  past.at(START + 4 * DAY);
  await past.protect(returned, 'active');
  past.at(START + 4 * DAY + HOUR);
  await past.protect(returned, 'paused');

  past.at(END - DAY);
  await past.protect(late, 'active');
  await past.protect(atBorder, 'active');
  past.at(END);
  await past.protect(atBorder, 'paused');
  past.at(END + HOUR);
  await past.protect(late, 'paused');
  await past.close();
  return { late, atBorder, clockAhead, returned };
};
