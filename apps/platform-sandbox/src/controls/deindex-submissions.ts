import { objectOf } from '../contract/schemas.js';
import type { DeindexSubmission } from '../contract/types.js';
import { found } from '../refusal.js';
import { changeSubmission, showSubmission } from '../search/deindex-submissions.js';
import type { SubmissionRecord } from '../state/records.js';
import { rememberedId, type World } from '../state/world.js';
import { control, FLAG, NO_MEMBERS, NULLABLE_TEXT, oneOf } from './control.js';

type SubmissionChange = Partial<DeindexSubmission>;

const SUBMISSION_CHANGE = objectOf({
  status: oneOf('queued', 'submitted', 'removed', 'rejected', 'failed'),
  submitted_to_provider: FLAG,
  removal_verified: FLAG,
  error_code: NULLABLE_TEXT,
});

export const deindexControls = [
  control<SubmissionChange>('PATCH', '/deindex-submissions/:id', SUBMISSION_CHANGE, ({ world }, { id, body }) => {
    const flags = body.status === undefined ? {} : flagsOf(body.status);
    return showSubmission(changeSubmission(world, submissionAt(world, id), { ...flags, ...body }));
  }),

  control('DELETE', '/deindex-submissions/:id', NO_MEMBERS, ({ world }, { id, query }) => {
    const { submission_id, reference } = submissionAt(world, id);
    world.submissions.remove(submission_id);
    if (query.forget === 'true') world.remembered.remove(rememberedId('submitDeindex', reference));
  }),
];

function flagsOf(status: DeindexSubmission['status']): SubmissionChange {
  if (status === 'queued') return { submitted_to_provider: false, removal_verified: false };
  if (status === 'failed') return {};
  return { submitted_to_provider: true, removal_verified: status === 'removed' };
}

const submissionAt = (world: World, idOrReference: string): SubmissionRecord =>
  found(world.submissions.get(idOrReference) ?? world.submissions.byAlias(idOrReference), 'deindex submission');
