import { describe, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { CreatorEvent } from '#creators';
import { type CreatorId, derivedId, HOUR, type Revision, streamName } from '#kernel';
import { activated, activationRequested, fact, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { givenEvents } from '../../../testing/src/given-events.js';
import { CAUSE, contextOfProcess, WORKSPACE } from '../../../testing/src/process-contexts.js';
import { MeterProtection } from '../application/meter-protection.js';
import { Metering } from './metering.js';

const reaction = (commands: CommandBus) => new Metering(commands);
// The runner's name is stored.
const context = contextOfProcess('metering');

const eve = derivedId('creator', 'eve');
const ofCreator = (event: CreatorEvent, creatorId = mia) => ({ stream: streamName('creator', creatorId), event });
/** By the event that the process handles. */
const changeOf = (creatorId: CreatorId, revision: Revision) => ({
  creatorId,
  workspaceId: WORKSPACE,
  cause: { eventId: CAUSE.id, revision },
});

describe('an interval of active time (D44)', () => {
  it('begins with the activation, at its time and revision', () =>
    givenEvents(reaction, [ofCreator(activationRequested)])
      .when({ ...ofCreator(activated), at: HOUR })
      .thenCommands([new MeterProtection(changeOf(mia, 1), 'activated', HOUR, context)]));

  it('ends with the pause, at its time and revision', () =>
    givenEvents(reaction, [ofCreator(activated)])
      .when({ ...ofCreator(paused), at: 2 * HOUR })
      .thenCommands([new MeterProtection(changeOf(mia, 1), 'paused', 2 * HOUR, context)]));

  it('is that of the event, not of another creator', () =>
    givenEvents(reaction, [ofCreator(activated), ofCreator(activated, eve)])
      .when({ ...ofCreator(paused, eve), at: HOUR })
      .thenCommands([new MeterProtection(changeOf(eve, 1), 'paused', HOUR, context)]));

  it.each([activationRequested, fact('membershipEnded', {}), fact('personalDataErased', {})])(
    'neither begins nor ends with any other event: $type',
    (event) =>
      givenEvents(reaction, [ofCreator(activated)])
        .when(ofCreator(event))
        .thenNothing(),
  );

  it.each([activated, paused])('neither begins nor ends without a workspace: $type', (event) =>
    givenEvents(reaction)
      .when({ ...ofCreator(event), workspaceId: null })
      .thenNothing(),
  );
});
