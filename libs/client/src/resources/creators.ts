import type { ApiCall } from '../api-call.js';
import type { List } from '../list.js';
import type { CallOptions, IdempotentCallOptions, ListOptions } from '../options.js';
import { Report } from '../report/report.js';
import type { Operations } from '../transport/operations.js';
import { path } from '../transport/request.js';
import type {
  Activity,
  Creator,
  EnrollCreatorBody,
  FullCreator,
  SetProtectionBody,
  UpdateCreatorBody,
} from '../types.js';

export class Creators {
  constructor(private readonly api: Operations) {}

  /**
   * Links a user of the platform (`svc_user_id`), or invites a person (`email`, `first_name`, `last_name`). The same body
   * again is the same creator: keep `external_id` and the rest of the body as they were.
   */
  enroll(body: EnrollCreatorBody, options?: CallOptions): ApiCall<Creator> {
    return this.api.call({ method: 'POST', path: '/v1/creators', body }, options);
  }

  /** The roster, by the platform's user id. */
  list(options?: ListOptions): List<FullCreator> {
    return this.api.list('/v1/creators', options);
  }

  /** One creator, refreshed from the platform. */
  get(creatorId: string, options?: CallOptions): ApiCall<FullCreator> {
    return this.api.call({ method: 'GET', path: path`/v1/creators/${creatorId}` }, options);
  }

  /** Sets the name; adds aliases and profile URLs, and removes none. */
  update(creatorId: string, body: UpdateCreatorBody, options?: CallOptions): ApiCall<FullCreator> {
    return this.api.call({ method: 'PATCH', path: path`/v1/creators/${creatorId}`, body }, options);
  }

  /** Withdraws an invitation, or detaches a creator who has accepted it. */
  remove(creatorId: string, options?: CallOptions): ApiCall<Creator> {
    return this.api.call({ method: 'DELETE', path: path`/v1/creators/${creatorId}` }, options);
  }

  /** Sends the mail of an invitation again. */
  resendInvitation(creatorId: string, options?: IdempotentCallOptions): ApiCall<Creator> {
    const request = { method: 'POST', path: path`/v1/creators/${creatorId}/resend-invitation`, body: {} } as const;
    return this.api.callOnce(request, options);
  }

  /** Switches protection on (`active`) or off (`paused`); while it is on, time is metered and scans are scheduled. */
  setProtection(creatorId: string, body: SetProtectionBody, options?: CallOptions): ApiCall<Creator> {
    return this.api.call({ method: 'PUT', path: path`/v1/creators/${creatorId}/protection`, body }, options);
  }

  /** Detections, recorded notices and removals, the newest first. */
  activity(creatorId: string, options?: ListOptions): List<Activity> {
    return this.api.list(path`/v1/creators/${creatorId}/activity`, options);
  }

  /** The cases as rows of a CSV file. */
  report(creatorId: string, options?: ListOptions): Report {
    return new Report(this.api, path`/v1/creators/${creatorId}/report`, options);
  }
}
