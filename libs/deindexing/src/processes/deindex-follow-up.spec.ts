import { describe, it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import { agencyId, DAY, type DueOutcome, type Duration, derivedId, HOUR, MINUTE, SECOND, type UserId } from '#kernel';
import { folded } from '#testing';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { AdvanceDeindexRequest } from '../application/advance-deindex-request.js';
import type { DeindexOutcome, DeindexRequestEvent } from '../domain/deindex-request.events.js';
import { type DeindexRequest, deindexRequestDecider } from '../domain/deindex-request.js';
import { DeindexFollowUp } from './deindex-follow-up.js';

const EVERY = 5 * MINUTE;
const requestId = derivedId('deindexRequest', 'one');
const about = { requestId, caseId: derivedId('case', 'one'), creatorId: derivedId('creator', 'mia') };
const agency = agencyId('ag_lumen');
const ordered = {
  ...about,
  agencyId: agency,
  workspaceId: derivedId('workspace', agency),
  userId: '0a000000-0000-4000-8000-000000000001' as UserId,
  leakId: 'leak-1',
};

const requested: DeindexRequestEvent = {
  type: 'deindexRequest.requested.v1',
  data: { ...ordered, personal: { url: 'https://leaks.example/mia' } },
};
const dispatching: DeindexRequestEvent = { type: 'deindexRequest.dispatchStarted.v1', data: about };
const outcome = (
  name: 'submitted' | 'completed' | 'rejected' | 'cancelled',
  change: Partial<DeindexOutcome> = {},
): DeindexRequestEvent => {
  const nothing = { submittedToProvider: true, removalVerified: false, errorCode: null, recordedAt: 0 };
  return { type: `deindexRequest.${name}.v1`, data: { ...about, ...nothing, ...change } };
};

/** All recorded at 0. */
const requestAfter = (...events: readonly DeindexRequestEvent[]): DeindexRequest =>
  folded(deindexRequestDecider, events);

const options = { pollEvery: EVERY, providerTimeout: 0 };
const followUp = (commands: CommandBus) => new DeindexFollowUp(commands, options);
const step = (result: CommandResult<AdvanceDeindexRequest>, expected: DueOutcome, now = 0) =>
  givenDueItem(followUp, requestId)
    .whenDue(result, now)
    .thenCommand(new AdvanceDeindexRequest(requestId, contextOfProcess('deindex')), expected);

describe('a deindex request that is due is advanced', () => {
  it.each<[CommandResult<AdvanceDeindexRequest>, DueOutcome]>([
    [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
    [{ outcome: 'nothing_left' }, 'idle'],
  ])('and after %j it is %j', step);

  it.each<[string, DeindexRequest]>([
    ['removed and verified', requestAfter(requested, dispatching, outcome('completed', { removalVerified: true }))],
    ['rejected', requestAfter(requested, dispatching, outcome('rejected'))],
    ['cancelled', requestAfter(requested, outcome('cancelled'))],
  ])('and needs no further step if it is %s', (_, request) => step({ outcome: 'advanced', request }, 'done'));

  it('and a minute later again if it waits for a worker with a provider (D79)', () =>
    step({ outcome: 'advanced', request: requestAfter(requested) }, { retryAt: 9_000 + MINUTE }, 9_000));

  it.each<[string, DeindexRequest]>([
    ['is submitted', requestAfter(requested, dispatching, outcome('submitted'))],
    ['is removed and not verified', requestAfter(requested, dispatching, outcome('completed'))],
  ])('and a second later again if it %s', (_, request) => step({ outcome: 'advanced', request }, { retryAt: SECOND }));
});

it.each<[string, Duration, Duration]>([
  ['soon at first', 0, SECOND],
  ['less and less often', 8 * SECOND, 8 * SECOND],
  ['at least at the interval', HOUR, EVERY],
  ['at the interval until it is four days old', 4 * DAY - SECOND, EVERY],
  ['every 4 hours then', 4 * DAY, 4 * HOUR],
  ['every 24 hours in the end', 365 * DAY, DAY],
])('a deindex request that is not settled is looked up %s', (_, age, wait) =>
  step({ outcome: 'advanced', request: requestAfter(requested, dispatching) }, { retryAt: age + wait }, age),
);
