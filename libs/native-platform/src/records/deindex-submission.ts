import type { DeindexSubmission } from '#deindexing';
import type { DeindexRequestId } from '#kernel';
import { errorCode, fieldsOf, flag, identifier, integer, oneOf, orNull, same, text } from '../fields.js';
import { parseOptional } from './page.js';

const submissionStatus = oneOf(['queued', 'submitted', 'removed', 'rejected', 'failed']);
const errorCodeOrNull = orNull(errorCode);

export const parseSubmissionOf =
  (reference: DeindexRequestId) =>
  (body: unknown): DeindexSubmission => {
    const fields = fieldsOf(body);
    same('reference', text(fields, 'reference'), reference);
    // Nothing uses it, but a record without it does not follow the contract.
    identifier(fields, 'submission_id');
    return {
      status: submissionStatus(fields, 'status'),
      submittedToProvider: flag(fields, 'submitted_to_provider'),
      removalVerified: flag(fields, 'removal_verified'),
      errorCode: errorCodeOrNull(fields, 'error_code'),
      updatedAt: integer(fields, 'updated_at'),
    };
  };

export const parseFoundSubmission = (reference: DeindexRequestId) => parseOptional(parseSubmissionOf(reference));
