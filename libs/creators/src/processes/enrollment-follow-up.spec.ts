import { it } from '@jest/globals';
import type { CommandResult } from '@nestjs/cqrs';
import type { StepResult } from '#jobs';
import type { DueOutcome } from '#kernel';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess, WORKSPACE } from '../../../testing/src/process-contexts.js';
import { AdvanceEnrollment } from '../application/enrollment/advance-enrollment.js';
import { EndSetAsideEnrollment } from '../application/enrollment/end-set-aside-enrollment.js';
import { mia } from '../domain/creator.fixtures.js';
import { EnrollmentFollowUp } from './enrollment-follow-up.js';

const DUE_AT = 3_000;

it.each<[CommandResult<AdvanceEnrollment>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'postponed', until: 7_000 }, { retryAt: 7_000 }],
  [{ outcome: 'nothing_left' }, 'idle'],
])('an enrollment is advanced with the time since when it is due; after %j it is %j', (result, outcome) =>
  givenDueItem((commands) => new EnrollmentFollowUp(commands), mia, DUE_AT)
    .whenDue(result)
    .thenCommand(new AdvanceEnrollment(mia, WORKSPACE, DUE_AT, contextOfProcess('enrollment')), outcome),
);

it('what was set aside is ended, so that it does not block its creator (D87)', () =>
  givenDueItem((commands) => new EnrollmentFollowUp(commands), mia, DUE_AT)
    .whenSetAside<StepResult>({ outcome: 'postponed', until: 7_000 })
    .thenCommand(new EndSetAsideEnrollment(mia, WORKSPACE, DUE_AT, contextOfProcess('enrollment')), {
      retryAt: 7_000,
    }));
