import type { DeindexSubmission } from '../contract/types.js';
import { bodyOf, noneOrOne, notFound, type Operations, Refusal } from '../operation.js';
import type { LeakRecord, SubmissionRecord } from '../state/records.js';
import { MOVING, type World } from '../state/world.js';
import { creatorOf } from './creators.js';

type SubmitBody = Pick<SubmissionRecord, 'reference' | 'agency_id' | 'user_id' | 'leak_id' | 'url'>;

export const deindexOperations: Operations = {
  submitDeindex(world, call) {
    const body = bodyOf<SubmitBody>(call);
    creatorOf(world, call);
    const leak = world.leaks.get(body.leak_id);
    if (leak?.user_id !== body.user_id) throw notFound('leak');
    if (leak.url !== body.url || !deindexable(leak)) throw new Refusal(422, 'not_deindexable', 'Nothing to deindex.');
    const submission = world.submissions.put({
      ...body,
      submission_id: world.newId('sub'),
      status: 'queued',
      submitted_to_provider: false,
      removal_verified: false,
      error_code: null,
      updated_at: world.now(),
      step_ms: world.settings.deindex_step_ms,
    });
    world.countEffect('submissions', body.reference);
    return { status: 202, body: submission };
  },

  findDeindexSubmission: (world, { query }) => noneOrOne(world.submissions.byAlias(String(query.reference))),
};

function deindexable({ status_code, actionable, dead_on_arrival }: LeakRecord): boolean {
  const over = status_code === 'removed' || status_code === 'rejected' || status_code === 'ignored';
  return !over && actionable !== false && dead_on_arrival !== true;
}

/** With `deindex_step_ms` set: queued, one step later submitted, another one later removed. */
export function settleSubmissions(world: World): void {
  for (const submission of world.submissions.between(MOVING, 0, world.now() + 1)) {
    changeSubmission(world, submission, { status: submission.status === 'queued' ? 'submitted' : 'removed' });
  }
}

/** The flags follow the status, unless they are given. */
export function changeSubmission(
  world: World,
  submission: SubmissionRecord,
  change: Partial<DeindexSubmission>,
): SubmissionRecord {
  const { status } = change;
  const flags =
    status === undefined || status === 'failed'
      ? {}
      : { submitted_to_provider: status !== 'queued', removal_verified: status === 'removed' };
  return world.submissions.put({ ...submission, ...flags, ...change, updated_at: world.after(submission.updated_at) });
}
