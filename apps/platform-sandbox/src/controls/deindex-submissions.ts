import type { DeindexSubmission } from '../contract/types.js';
import { notFound } from '../refusal.js';
import { changeSubmission, showSubmission } from '../search/deindex-submissions.js';
import type { SubmissionRecord } from '../state/records.js';
import { rememberedId, type World } from '../state/world.js';
import { type Control, controlBody, FLAG, NULLABLE_TEXT, oneOf } from './control.js';

export const deindexControls: readonly Control[] = [
  {
    method: 'PATCH',
    path: '/deindex-submissions/:id',
    members: {
      status: oneOf('queued', 'submitted', 'removed', 'rejected', 'failed'),
      submitted_to_provider: FLAG,
      removal_verified: FLAG,
      error_code: NULLABLE_TEXT,
    },
    run({ world }, call) {
      const change = controlBody<Partial<DeindexSubmission>>(call);
      const flags = change.status === undefined ? {} : flagsOf(change.status);
      return showSubmission(changeSubmission(world, submissionAt(world, call.id), { ...flags, ...change }));
    },
  },
  {
    method: 'DELETE',
    path: '/deindex-submissions/:id',
    members: {},
    run({ world }, call) {
      const submission = submissionAt(world, call.id);
      world.submissions.remove(submission.submission_id);
      if (call.query.forget === 'true') world.remembered.remove(rememberedId('submitDeindex', submission.reference));
    },
  },
];

function flagsOf(status: DeindexSubmission['status']): Partial<DeindexSubmission> {
  if (status === 'queued') return { submitted_to_provider: false, removal_verified: false };
  if (status === 'failed') return {};
  return { submitted_to_provider: true, removal_verified: status === 'removed' };
}

function submissionAt(world: World, idOrReference: string): SubmissionRecord {
  const submission = world.submissions.get(idOrReference) ?? world.submissions.byAlias(idOrReference);
  if (!submission) throw notFound('deindex submission');
  return submission;
}
