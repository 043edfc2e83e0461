import type { ScanId } from '#kernel';
import type { ScanJob } from '#scans';
import { errorCode, type Fields, fieldsOf, identifier, integer, oneOf, orNull, same, text } from '../fields.js';
import { parseOptional } from './page.js';

const jobStatus = oneOf(['queued', 'running', 'completed', 'failed', 'cancelled']);
const errorCodeOrNull = orNull(errorCode);
const finishedAt = orNull(integer);

const jobOf = (fields: Fields): ScanJob => {
  text(fields, 'reference');
  return {
    jobId: identifier(fields, 'job_id'),
    status: jobStatus(fields, 'status'),
    errorCode: errorCodeOrNull(fields, 'error_code'),
    finishedAt: finishedAt(fields, 'finished_at'),
  };
};

export const parseJob =
  (asked: string) =>
  (body: unknown): ScanJob => {
    const job = jobOf(fieldsOf(body));
    same('job_id', job.jobId, asked);
    return job;
  };

export const parseJobOf =
  (reference: ScanId) =>
  (body: unknown): ScanJob => {
    const fields = fieldsOf(body);
    same('reference', text(fields, 'reference'), reference);
    return jobOf(fields);
  };

export const parseFoundJob = (reference: ScanId) => parseOptional(parseJobOf(reference));
