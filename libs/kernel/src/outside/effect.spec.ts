import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock, InMemoryEventLog } from '#testing';
import { Repository } from '../contexts/repository.js';
import { CommandRunner } from '../deciding/command-runner.js';
import type { Decider } from '../deciding/decider.js';
import { contextOf } from '../deciding/tally.fixtures.js';
import { DomainError } from '../errors.js';
import { InterceptedLog } from '../stores/intercepted-log.fixtures.js';
import { type Effect, performEffect } from './effect.js';

type Parcel = 'none' | 'requested' | 'outcome_unknown' | 'sent' | 'cancelled';

type ParcelEvent =
  | { readonly type: 'parcel.requested.v1'; readonly data: object }
  | { readonly type: 'parcel.outcomeLost.v1'; readonly data: object }
  | { readonly type: 'parcel.refused.v1'; readonly data: object }
  | { readonly type: 'parcel.sent.v1'; readonly data: { readonly number: string } }
  | { readonly type: 'parcel.cancelled.v1'; readonly data: object };

const parcelDecider: Decider<Parcel, ParcelEvent> = {
  category: 'parcel',
  initial: 'none',
  evolve: (_state, { type }) => {
    switch (type) {
      case 'parcel.requested.v1':
        return 'requested';
      case 'parcel.outcomeLost.v1':
        return 'outcome_unknown';
      case 'parcel.refused.v1':
        return 'none';
      case 'parcel.sent.v1':
        return 'sent';
      case 'parcel.cancelled.v1':
        return 'cancelled';
    }
  },
};

const requested: ParcelEvent = { type: 'parcel.requested.v1', data: {} };
const outcomeLost: ParcelEvent = { type: 'parcel.outcomeLost.v1', data: {} };
const refused: ParcelEvent = { type: 'parcel.refused.v1', data: {} };
const sent: ParcelEvent = { type: 'parcel.sent.v1', data: { number: 'P1' } };
const cancelled: ParcelEvent = { type: 'parcel.cancelled.v1', data: {} };

const done: Effect<string> = { outcome: 'done', value: 'P1' };
const unknown: Effect<string> = { outcome: 'unknown', error: new DomainError('provider_timeout') };

class Parcels extends Repository<Parcel, ParcelEvent, string> {}

const requestParcel = (parcel: Parcel): ParcelEvent[] => (parcel === 'none' ? [requested] : []);

const recordOutcome = (parcel: Parcel, effect: Effect<string>): ParcelEvent[] => {
  if (parcel === 'sent') return [];
  switch (effect.outcome) {
    case 'done':
      return [{ type: 'parcel.sent.v1', data: { number: effect.value } }];
    case 'refused':
      return [refused];
    case 'unknown':
      return parcel === 'outcome_unknown' ? [] : [outcomeLost];
  }
};

let log: InterceptedLog;
let parcels: Parcels;
/** The state of each call. */
let calls: Parcel[];
let answer: () => Promise<Effect<string>>;

beforeEach(() => {
  log = new InterceptedLog(new InMemoryEventLog());
  parcels = new Parcels(parcelDecider, new CommandRunner(log, new FakeClock(1_000)));
  calls = [];
  answer = async () => done;
});

const given = (...past: readonly ParcelEvent[]) => parcels.update('a', contextOf(), () => past);
const recorded = async () => (await log.readStream('parcel-a')).map(({ type, data }) => ({ type, data }));
const send = async () =>
  performEffect(parcels, await parcels.load('a'), contextOf(), {
    intent: requestParcel,
    call: (intended) => {
      if (intended === 'sent') return undefined;
      calls.push(intended);
      return answer();
    },
    outcome: recordOutcome,
  });

describe('an effect inside a request', () => {
  it('records the intent before the call, and the outcome after it', async () => {
    let before: unknown;
    answer = async () => {
      before = await recorded();
      return done;
    };
    expect(await send()).toMatchObject({ loaded: { state: 'sent', events: [sent] }, effect: done, isOvertaken: false });
    expect(before).toEqual([requested]);
    expect([calls, await recorded()]).toEqual([['requested'], [requested, sent]]);
  });

  it('records what was refused, and returns it', async () => {
    const refusal: Effect<string> = { outcome: 'refused', code: 'too_large' };
    answer = async () => refusal;
    expect(await send()).toMatchObject({ loaded: { state: 'none' }, effect: refusal });
    expect(await recorded()).toEqual([requested, refused]);
  });

  it('records that the outcome is unknown; the same request makes the same call again, and settles it', async () => {
    answer = async () => unknown;
    expect(await send()).toMatchObject({ loaded: { state: 'outcome_unknown' }, effect: unknown });
    answer = async () => done;
    await send();
    expect(calls).toEqual(['requested', 'outcome_unknown']);
    expect(await recorded()).toEqual([requested, outcomeLost, sent]);
  });

  it('makes no call for a repeat, and records nothing', async () => {
    await given(requested, sent);
    const repeat = await send();
    expect(repeat).toMatchObject({ loaded: { state: 'sent', events: [] }, isOvertaken: false });
    expect([repeat.effect, calls, await recorded()]).toEqual([undefined, [], [requested, sent]]);
  });

  it('makes no call if the intent is refused or cannot be recorded', async () => {
    const refuse = () => {
      throw new DomainError('invalid_request');
    };
    const steps = { intent: refuse, call: () => answer(), outcome: recordOutcome };
    await expect(performEffect(parcels, await parcels.load('a'), contextOf(), steps)).rejects.toThrow();
    log.beforeAppend = () => Promise.reject(new Error('no store'));
    await expect(send()).rejects.toThrow('no store');
    expect([calls, await recorded()]).toEqual([[], []]);
  });

  it('needs no intent if an earlier decision has recorded it', async () => {
    const intended = await given(requested);
    const { appends } = log;
    const { loaded } = await performEffect(parcels, intended, contextOf(), {
      call: () => answer(),
      outcome: recordOutcome,
    });
    expect([loaded.state, log.appends - appends]).toEqual(['sent', 1]);
  });
});

describe('a crash', () => {
  it('during the call leaves the intent, from which the same request continues', async () => {
    answer = () => Promise.reject(new Error('killed'));
    await expect(send()).rejects.toThrow('killed');
    expect(await recorded()).toEqual([requested]);
    answer = async () => done;
    await send();
    expect([calls, await recorded()]).toEqual([
      ['requested', 'requested'],
      [requested, sent],
    ]);
  });
});

it('decides the outcome on what was recorded during the call, and says that it was overtaken', async () => {
  answer = async () => {
    await given(cancelled);
    return done;
  };
  const seen: unknown[] = [];
  const { isOvertaken } = await performEffect(parcels, await parcels.load('a'), contextOf(), {
    intent: requestParcel,
    call: () => answer(),
    outcome: (parcel, _effect, call) => {
      seen.push(parcel, call);
      return [];
    },
  });
  expect(seen).toEqual(['cancelled', { intended: 'requested', isOvertaken: true }]);
  expect([isOvertaken, await recorded()]).toEqual([true, [requested, cancelled]]);
});
