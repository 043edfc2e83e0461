import type { DeindexSubmission } from '../contract/types.js';
import { bodyOf, type Operation, ok } from '../operation.js';
import { findLeak } from '../platform/leaks.js';
import { creatorOf } from '../platform/membership.js';
import { notFound, unprocessable } from '../refusal.js';
import { due, nextMoveOfSubmission } from '../state/moving.js';
import type { LeakRecord, SubmissionRecord } from '../state/records.js';
import type { World } from '../state/world.js';

type SubmitBody = Pick<SubmissionRecord, 'reference' | 'agency_id' | 'user_id' | 'leak_id' | 'url'>;

export const submitDeindex: Operation = (world, call) => {
  const body = bodyOf<SubmitBody>(call);
  creatorOf(world, body.agency_id, body.user_id);
  const leak = findLeak(world, body.leak_id);
  if (leak?.user_id !== body.user_id) throw notFound('leak');
  if (leak.url !== body.url || !deindexable(leak)) throw unprocessable('not_deindexable', 'Nothing to deindex.');
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
  return { status: 202, body: showSubmission(submission) };
};

export const findDeindexSubmission: Operation = (world, { query }) => {
  const submission = world.submissions.byAlias(String(query.reference));
  return ok({ data: submission ? [showSubmission(submission)] : [] });
};

/** With `deindex_step_ms` set: queued, one step later submitted, another one later removed. */
export function settleSubmissions(world: World): void {
  for (const submission of due(world.submissions, nextMoveOfSubmission, world.now())) {
    const status = submission.status === 'queued' ? 'submitted' : 'removed';
    changeSubmission(world, submission, {
      status,
      submitted_to_provider: true,
      removal_verified: status === 'removed',
    });
  }
}

export function changeSubmission(
  world: World,
  submission: SubmissionRecord,
  change: Partial<DeindexSubmission>,
): SubmissionRecord {
  return world.submissions.put({ ...submission, ...change, updated_at: world.after(submission.updated_at) });
}

function deindexable({ status_code, actionable, dead_on_arrival }: LeakRecord): boolean {
  const over = status_code === 'removed' || status_code === 'rejected' || status_code === 'ignored';
  return !over && actionable !== false && dead_on_arrival !== true;
}

export function showSubmission(submission: SubmissionRecord): DeindexSubmission {
  const { submission_id, reference, status, submitted_to_provider, removal_verified, error_code, updated_at } =
    submission;
  return { submission_id, reference, status, submitted_to_provider, removal_verified, error_code, updated_at };
}
