import { it } from '@jest/globals';
import type { CommandResult } from '@nestjs/cqrs';
import type { DueOutcome } from '#kernel';
import { mia } from '../../../creators/src/domain/creator.fixtures.js';
import { givenDueItem } from '../../../testing/src/given-due-item.js';
import { contextOfProcess } from '../../../testing/src/process-contexts.js';
import { CompleteScanAdmission } from '../application/complete-scan-admission.js';
import { EndSetAsideAdmission } from '../application/end-set-aside-admission.js';
import { ScanAdmissions } from './scan-admissions.js';

it.each<[CommandResult<CompleteScanAdmission>, DueOutcome]>([
  [{ outcome: 'advanced' }, 'done'],
  [{ outcome: 'nothing_left' }, 'idle'],
])('an admission that is due is completed; after %p it is %p', (result, outcome) =>
  givenDueItem((commands) => new ScanAdmissions(commands), mia)
    .whenDue(result)
    .thenCommand(new CompleteScanAdmission(mia, contextOfProcess('admission')), outcome),
);

it('what was set aside is ended, so that it does not block its creator (D87)', () =>
  givenDueItem((commands) => new ScanAdmissions(commands), mia)
    .whenSetAside({ outcome: 'nothing_left' })
    .thenCommand(new EndSetAsideAdmission(mia, contextOfProcess('admission')), 'idle'));
