import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FakeClock, InMemoryEventLog } from '#testing';
import { Repository } from '../contexts/repository.js';
import { CommandRunner } from '../deciding/command-runner.js';
import type { Decider } from '../deciding/decider.js';
import { contextOf } from '../deciding/tally.fixtures.js';
import { DomainError } from '../errors.js';
import { type Instant, SECOND } from '../instant.js';
import { advanceOutboundCall } from './advance-outbound-call.js';
import type { Effect } from './effect.js';
import { OUTCOME_TIMEOUT, type Wanted } from './outbound-call.js';

type Parcel =
  | { readonly status: 'requested' | 'sent' | 'failed' | 'cancelled' }
  | {
      readonly status: 'called' | 'uncertain';
      readonly body: number;
      readonly calledAt: Instant;
      readonly since: Instant;
    };
type Called = Extract<Parcel, { body: number }>;

type ParcelEvent =
  | { readonly type: 'parcel.called.v1'; readonly data: { readonly body: number } }
  | {
      readonly type: 'parcel.lost.v1' | 'parcel.sent.v1' | 'parcel.failed.v1' | 'parcel.cancelled.v1';
      readonly data: object;
    };

const isCalled = (parcel: Parcel): parcel is Called => 'body' in parcel;

const parcelDecider: Decider<Parcel, ParcelEvent> = {
  category: 'parcel',
  initial: { status: 'requested' },
  evolve: (state, event, at) => {
    switch (event.type) {
      case 'parcel.called.v1':
        return { status: 'called', body: event.data.body, calledAt: at, since: at };
      case 'parcel.lost.v1':
        return isCalled(state) ? { ...state, status: 'uncertain', since: at } : state;
      case 'parcel.sent.v1':
        return { status: 'sent' };
      case 'parcel.failed.v1':
        return { status: 'failed' };
      case 'parcel.cancelled.v1':
        return { status: 'cancelled' };
    }
  },
};

class Parcels extends Repository<Parcel, ParcelEvent, string> {}

const because = (name: 'lost' | 'sent' | 'failed' | 'cancelled'): ParcelEvent => ({
  type: `parcel.${name}.v1`,
  data: {},
});

const TIMEOUT = 5 * SECOND;
const POLL = 60 * SECOND;
const noAnswer = new DomainError('provider_timeout');
const crash = new Error('the process is no more');

const CALLS = [
  'answered',
  'refused',
  'lost',
  'lost after arrival',
  'crash before arrival',
  'crash after arrival',
] as const;
const LOOK_UPS = ['answered', 'lost'] as const;

/** The events outside during one run and before the next one. */
interface Happening {
  readonly call: (typeof CALLS)[number];
  readonly lookUp: (typeof LOOK_UPS)[number];
  readonly wanted: Wanted;
  readonly wait: number;
}

const FINE: Happening = { call: 'answered', lookUp: 'answered', wanted: 'yes', wait: 2 * TIMEOUT };

/** A parcel, and a courier that knows no keys: each call that arrives sends a parcel. */
class Courier {
  readonly clock = new FakeClock(1_000);
  /** The bodies of the calls that arrived. */
  readonly arrived: number[] = [];
  readonly calls: number[] = [];
  lookUps = 0;
  isClockAhead = false;
  private readonly parcels = new Parcels(parcelDecider, new CommandRunner(new InMemoryEventLog(), this.clock));
  private intents = 0;

  async run({ call, lookUp, wanted }: Happening): Promise<unknown> {
    const parcel = await this.parcels.load('a');
    return advanceOutboundCall<Parcel, Called, ParcelEvent, string, 'known'>(
      this.parcels,
      parcel,
      contextOf(),
      {
        now: () => this.clock.now(),
        remainingFor: (_, wait) => (this.isClockAhead ? wait : Math.max(0, parcel.at + wait - this.clock.now())),
      },
      undefined,
      {
        isConfigured: true,
        callTimeout: TIMEOUT,
        outboundCallOf: (state) => {
          if (isCalled(state)) return { calledAt: state.calledAt, isConfirmed: false };
          return state.status === 'requested' ? { calledAt: null, isConfirmed: false } : undefined;
        },
        isCalled,
        wanted: async () => wanted,
        intent: ({ status }) =>
          status === 'requested' ? [{ type: 'parcel.called.v1', data: { body: ++this.intents } }] : [],
        call: ({ body }) => this.receive(body, call),
        lookUp: async () => {
          this.lookUps++;
          if (lookUp === 'lost') throw noAnswer;
          return this.arrived.length > 0 ? 'known' : undefined;
        },
        answered: (state) => (isCalled(state) ? [because('sent')] : []),
        refused: () => [because('failed')],
        unknown: (state, now) => {
          if (!isCalled(state)) return [];
          if (state.status === 'called') return [because('lost')];
          return now - state.since < OUTCOME_TIMEOUT ? [] : [because('failed')];
        },
        cancel: () => [because('cancelled')],
        pollEvery: () => POLL,
      },
    ).catch((error: unknown) => error);
  }

  async status(): Promise<Parcel['status']> {
    return (await this.parcels.load('a')).state.status;
  }

  private async receive(body: number, happening: Happening['call']): Promise<Effect<'known'>> {
    this.calls.push(body);
    if (happening === 'refused') return { outcome: 'refused', code: 'no' };
    if (happening === 'crash before arrival') throw crash;
    if (happening !== 'lost') this.arrived.push(body);
    if (happening === 'crash after arrival') throw crash;
    return happening === 'answered' ? { outcome: 'done', value: 'known' } : { outcome: 'unknown', error: noAnswer };
  }
}

const happenings = fc.array(
  fc.record<Happening>({
    call: fc.constantFrom(...CALLS),
    lookUp: fc.constantFrom(...LOOK_UPS),
    wanted: fc.constantFrom<Wanted>('yes', 'yes', 'yes', 'no', 'later'),
    wait: fc.nat(3 * TIMEOUT),
  }),
  { maxLength: 30 },
);

describe('an outbound call', () => {
  it('is made at most one time, with one body, and ends, for all losses and crashes', () =>
    fc.assert(
      fc.asyncProperty(happenings, async (past) => {
        const courier = new Courier();
        for (const happening of [...past, FINE, FINE, FINE, FINE]) {
          await courier.run(happening);
          courier.clock.advance(happening.wait);
        }
        expect(courier.arrived.length).toBeLessThanOrEqual(1);
        expect(new Set(courier.calls).size).toBeLessThanOrEqual(1);
        const status = await courier.status();
        expect(['sent', 'failed', 'cancelled']).toContain(status);
        // Once it was made, it is known to be made.
        if (courier.arrived.length === 1) expect(status).toBe('sent');
      }),
      { numRuns: 300 },
    ));

  it('is looked up when its call may have ended, and called again only after a definite none', async () => {
    const courier = new Courier();
    expect(await courier.run({ ...FINE, call: 'lost' })).toBe(noAnswer);
    expect(await courier.run(FINE)).toEqual({ retryAt: 1_000 + 2 * TIMEOUT });
    courier.clock.advance(2 * TIMEOUT);
    expect(await courier.run({ ...FINE, lookUp: 'lost' })).toBe(noAnswer);
    expect([courier.calls.length, courier.lookUps]).toEqual([1, 1]);
    expect(await courier.run(FINE)).toBe('done');
    expect([courier.calls.length, courier.lookUps, await courier.status()]).toEqual([2, 2, 'sent']);
    expect(await courier.run(FINE)).toBe('idle');
  });

  it('is given up after 72 hours without an answer, but not by a clock that is ahead (D93)', async () => {
    const courier = new Courier();
    await courier.run({ ...FINE, call: 'lost' });
    courier.clock.advance(OUTCOME_TIMEOUT - 1);
    await courier.run({ ...FINE, lookUp: 'lost' });
    expect(await courier.status()).toBe('uncertain');
    courier.clock.advance(1);
    courier.isClockAhead = true;
    await courier.run({ ...FINE, lookUp: 'lost' });
    expect(await courier.status()).toBe('uncertain');
    courier.isClockAhead = false;
    await courier.run({ ...FINE, lookUp: 'lost' });
    expect(await courier.status()).toBe('failed');
  });
});
