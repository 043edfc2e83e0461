import { it } from '@jest/globals';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfRound } from '../../../testing/src/process-contexts.js';
import { RecordAuthorizationLapse } from '../application/membership/record-authorization-lapse.js';
import { mia } from '../domain/creator.fixtures.js';
import { AuthorizationLapses } from './authorization-lapses.js';

it('the end of a mandate that is due is recorded, and due no more (D40)', () =>
  givenDueItem((commands) => new AuthorizationLapses(commands), mia)
    .whenDue()
    .thenCommand(new RecordAuthorizationLapse(mia, contextOfRound('authorizationEnd')), 'idle'));
