import { describe, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { derivedId, streamName } from '#kernel';
import { givenEvents } from '../../../testing/src/given-events.js';
import { contextOfProcess, WORKSPACE } from '../../../testing/src/process-contexts.js';
import { CountEnrollment } from '../application/enrollment/count-enrollment.js';
import type { CreatorEvent } from '../domain/creator.events.js';
import { accepted, byImport, byInvitation, byLink, fact, mia, onboarded, sent } from '../domain/creator.fixtures.js';
import { EnrollmentCount } from './enrollment-count.js';

const reaction = (commands: CommandBus) => new EnrollmentCount(commands);
const context = contextOfProcess('enrollment-count');

const eve = derivedId('creator', 'eve');
const ofCreator = (event: CreatorEvent, creatorId = mia) => ({ stream: streamName('creator', creatorId), event });

const refused = fact('invitationRefused', { code: 'invitation_rejected' });
const expired = fact('invitationExpired', {});
const withdrawn = (as: 'cancelled' | 'detached') => fact('invitationWithdrawn', { as });
const membershipEnded = fact('membershipEnded', {});
const returned = fact('returned', {});

describe('the seat of an enrollment (D31)', () => {
  it.each([byLink, sent, onboarded, returned, refused, withdrawn('cancelled'), withdrawn('detached'), membershipEnded])(
    'is checked after $type',
    (event) =>
      givenEvents(reaction, [ofCreator(byInvitation, eve)])
        .when(ofCreator(event))
        .thenCommands([new CountEnrollment(mia, WORKSPACE, context)]),
  );

  it.each([byInvitation, byImport, accepted, expired, fact('memberNotFound', {})])('does not change: $type', (event) =>
    givenEvents(reaction, [ofCreator(refused)])
      .when(ofCreator(event))
      .thenNothing(),
  );

  it.each([refused, sent])('does not change if the event has no workspace: $type', (event) =>
    givenEvents(reaction)
      .when({ ...ofCreator(event), workspaceId: null })
      .thenNothing(),
  );
});
