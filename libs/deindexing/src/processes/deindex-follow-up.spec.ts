import { it } from '@jest/globals';
import type { CommandBus, CommandResult } from '@nestjs/cqrs';
import type { StepResult } from '#jobs';
import { type DueOutcome, derivedId } from '#kernel';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { AdvanceDeindexRequest } from '../application/advance-deindex-request.js';
import { EndSetAsideDeindexRequest } from '../application/end-set-aside-deindex-request.js';
import { DeindexFollowUp } from './deindex-follow-up.js';

const requestId = derivedId('deindexRequest', 'one');
const followUp = (commands: CommandBus) => new DeindexFollowUp(commands);

it.each<[CommandResult<AdvanceDeindexRequest>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('a deindex request that is due is advanced; after %j it is %j', (result, outcome) =>
  givenDueItem(followUp, requestId)
    .whenDue(result)
    .thenCommand(new AdvanceDeindexRequest(requestId, contextOfProcess('deindex')), outcome),
);

it('what was set aside is ended, so that it does not block its creator (D87)', () =>
  givenDueItem(followUp, requestId)
    .whenSetAside<StepResult>({ outcome: 'postponed', until: 7_000 })
    .thenCommand(new EndSetAsideDeindexRequest(requestId, contextOfProcess('deindex')), { retryAt: 7_000 }));
