import type { NativeInvitation } from '#creators';
import type { DeindexSubmission } from '#deindexing';
import type { CreatorId, DeindexRequestId, ScanId } from '#kernel';
import type { ScanJob } from '#scans';
import {
  errorCode,
  flag,
  identifier,
  integer,
  oneOf,
  type Reader,
  read,
  record,
  same,
  text,
  userId,
} from '../schemas.js';
import { parseOptional } from './page.js';

const invitation = record({
  id: identifier,
  reference: text,
  status: oneOf(['pending', 'accepted', 'onboarded', 'expired', 'cancelled', 'detached']),
  user_id: userId.nullable(),
  email_sent: flag,
  expires_at: integer,
});

const job = record({
  job_id: identifier,
  reference: text,
  status: oneOf(['queued', 'running', 'completed', 'failed', 'cancelled']),
  error_code: errorCode.nullable(),
  finished_at: integer.nullable(),
});

const submission = record({
  submission_id: identifier,
  reference: text,
  status: oneOf(['queued', 'submitted', 'removed', 'rejected', 'failed']),
  submitted_to_provider: flag,
  removal_verified: flag,
  error_code: errorCode.nullable(),
  updated_at: integer,
});

/** The record, without its reference, if the member `name` is the one asked for. */
const requested = <Value extends { readonly reference: string }>(
  schema: Reader<Value>,
  body: unknown,
  name: keyof Value & string,
  asked: string,
): Omit<Value, 'reference'> => {
  const found = read(schema, body);
  same(name, String(found[name]), asked);
  const { reference: _, ...value } = found;
  return value;
};

export const parseInvitation =
  (asked: string) =>
  (body: unknown): NativeInvitation =>
    requested(invitation, body, 'id', asked);

export const parseInvitationOf =
  (reference: CreatorId) =>
  (body: unknown): NativeInvitation =>
    requested(invitation, body, 'reference', reference);

export const parseFoundInvitation = (reference: CreatorId) => parseOptional(parseInvitationOf(reference));

export const parseJob =
  (asked: string) =>
  (body: unknown): ScanJob =>
    requested(job, body, 'jobId', asked);

export const parseJobOf =
  (reference: ScanId) =>
  (body: unknown): ScanJob =>
    requested(job, body, 'reference', reference);

export const parseFoundJob = (reference: ScanId) => parseOptional(parseJobOf(reference));

export const parseSubmissionOf =
  (reference: DeindexRequestId) =>
  (body: unknown): DeindexSubmission => {
    const { submissionId: _, ...value } = requested(submission, body, 'reference', reference);
    return value;
  };

export const parseFoundSubmission = (reference: DeindexRequestId) => parseOptional(parseSubmissionOf(reference));
