import { describe, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { CreatorEvent } from '#creators';
import { derivedId, streamName } from '#kernel';
import { fact as creatorFact, mia, paused } from '../../../creators/src/domain/creator.fixtures.js';
import { givenEvents } from '../../../testing/src/given-events.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { CancelQueuedScan } from '../application/cancel-queued-scan.js';
import { ReleaseScan } from '../application/release-scan.js';
import type { ScanEvent } from '../domain/scan.events.js';
import {
  about,
  accepted,
  dispatching,
  ending,
  fact,
  notFound,
  queued,
  started,
  uncertain,
} from '../domain/scan.fixtures.js';
import { CancelAndReleaseScans } from './cancel-and-release-scans.js';

const reaction = (commands: CommandBus) => new CancelAndReleaseScans(commands);
// The runner's name is stored.
const context = contextOfProcess('cancel-and-release-scans');

const eve = derivedId('creator', 'eve');
const ofScan = (event: ScanEvent) => ({ stream: streamName('scan', event.data.scanId), event });
const ofCreator = (event: CreatorEvent, creatorId = mia) => ({ stream: streamName('creator', creatorId), event });

const completed = fact('completed', ending(0, null));
const failed = fact('failed', ending(0, 'engine_rejected'));
const cancelled = fact('cancelled', ending(0, 'protection_paused', null));

describe('the end of a scan', () => {
  it.each([completed, failed, cancelled])('releases that scan from the allowance of its creator: $type', (event) =>
    givenEvents(reaction, [ofScan(queued), ofScan(dispatching)])
      .when(ofScan(event))
      .thenCommands([new ReleaseScan(about.creatorId, about.scanId, context)]),
  );

  it('releases no earlier scan', () => {
    const later = { scanId: derivedId('scan', 'later'), creatorId: eve };
    return givenEvents(reaction, [ofScan(queued), ofScan(completed)])
      .when(ofScan({ type: 'scan.failed.v1', data: { ...later, ...ending(0, null) } }))
      .thenCommands([new ReleaseScan(eve, later.scanId, context)]);
  });
});

it.each([queued, dispatching, accepted, started, uncertain, notFound])(
  'a scan that continues releases nothing: $type',
  (event) => givenEvents(reaction).when(ofScan(event)).thenNothing(),
);

describe('a pause or an erasure', () => {
  it.each([paused, creatorFact('personalDataErased', {})])(
    'cancels what was queued before it, by position in the log: $type',
    (event) =>
      givenEvents(reaction, [ofScan(queued)])
        .when(ofCreator(event))
        .thenCommands([new CancelQueuedScan(mia, 2, context)]),
  );

  it('cancels nothing of another creator', () =>
    givenEvents(reaction, [ofCreator(paused), ofScan(queued)])
      .when(ofCreator(paused, eve))
      .thenCommands([new CancelQueuedScan(eve, 3, context)]));
});

it.each([
  creatorFact('protectionActivated', { activationId: 'act-1', reason: 'api_request' }),
  creatorFact('membershipEnded', {}),
  creatorFact('personalKeyDestroyed', {}),
])('any other event of a creator cancels nothing: $type', (event) =>
  givenEvents(reaction, [ofScan(queued)])
    .when(ofCreator(event))
    .thenNothing(),
);
