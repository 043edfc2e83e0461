import type { ApiCall } from './api-call.js';
import { Follower, type FollowOptions } from './events/follower.js';
import type { AnyEvent } from './events/known-event.js';
import type { List } from './list.js';
import type { CallOptions, ClientOptions, IdempotentCallOptions, ListOptions } from './options.js';
import { Report } from './report.js';
import { path } from './transport/request.js';
import { Transport } from './transport/transport.js';
import type * as api from './types.js';

class Workspaces {
  constructor(private readonly api: Transport) {}

  get(workspaceId: string, options?: CallOptions): ApiCall<api.Workspace> {
    return this.api.call({ method: 'GET', path: path`/v1/workspaces/${workspaceId}` }, options);
  }
}

interface UsageOptions extends CallOptions {
  /** Such as `2026-11`. */
  readonly month?: string | undefined;
}

class Usages {
  constructor(private readonly api: Transport) {}

  /** Active time of a month and its estimated price; without a month, of the current one. */
  get({ month, ...options }: UsageOptions = {}): ApiCall<api.Usage> {
    return this.api.call({ method: 'GET', path: '/v1/usage', query: { month } }, options);
  }

  /** A snapshot of the agency's slots. */
  capacity(options?: CallOptions): ApiCall<api.Capacity> {
    return this.api.call({ method: 'GET', path: '/v1/capacity' }, options);
  }
}

class Scans {
  constructor(private readonly api: Transport) {}

  /** Queues a scan of the creator. Only one may be pending; repeats of the call are one scan. */
  queue(creatorId: string, options?: IdempotentCallOptions): ApiCall<api.Scan> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/creators/${creatorId}/scans`, body: {} }, options);
  }

  get(scanId: string, options?: CallOptions): ApiCall<api.Scan> {
    return this.api.call({ method: 'GET', path: path`/v1/scans/${scanId}` }, options);
  }
}

class Impersonations {
  constructor(private readonly api: Transport) {}

  /** Accounts that pretend to be the creator. */
  list(creatorId: string, options?: ListOptions): List<api.Impersonation> {
    return this.api.list(path`/v1/creators/${creatorId}/impersonations`, options);
  }

  report(
    creatorId: string,
    body: api.ReportImpersonationBody,
    options?: IdempotentCallOptions,
  ): ApiCall<api.Impersonation> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/creators/${creatorId}/impersonations`, body }, options);
  }
}

class Events {
  constructor(private readonly api: Transport) {}

  /** The feed from its start, or after an event, up to its current end. */
  list(options?: ListOptions): List<AnyEvent> {
    return this.api.list('/v1/events', options);
  }

  /** The feed from its start, or after a cursor, and each event from then on, until the signal aborts. */
  follow(options?: FollowOptions): Follower {
    return new Follower(this.api, options);
  }
}

class Deindexing {
  constructor(private readonly api: Transport) {}

  /** Asks the search provider to remove a finding of an API scan from its index. */
  request(caseId: string, body: api.RequestDeindexBody, options?: IdempotentCallOptions): ApiCall<api.DeindexRequest> {
    return this.api.callOnce({ method: 'POST', path: path`/v1/cases/${caseId}/deindex-requests`, body }, options);
  }

  get(deindexRequestId: string, options?: CallOptions): ApiCall<api.DeindexRequest> {
    return this.api.call({ method: 'GET', path: path`/v1/deindex-requests/${deindexRequestId}` }, options);
  }
}

class Connections {
  constructor(private readonly api: Transport) {}

  /** The key's agency, workspace and scopes. */
  get(options?: CallOptions): ApiCall<api.Connection> {
    return this.api.call({ method: 'GET', path: '/v1/me' }, options);
  }
}

class Cases {
  constructor(private readonly api: Transport) {}

  /** The findings of a creator, synchronized with the platform's records. */
  list(creatorId: string, options?: ListOptions): List<api.Case> {
    return this.api.list(path`/v1/creators/${creatorId}/cases`, options);
  }
}

class Creators {
  constructor(private readonly api: Transport) {}

  /**
   * Links a platform user (`svc_user_id`), or invites a person (`email`, `first_name`, `last_name`). The same body
   * again is the same creator: keep `external_id` and the rest of the body as they were.
   */
  enroll(body: api.EnrollCreatorBody, options?: CallOptions): ApiCall<api.Creator> {
    return this.api.call({ method: 'POST', path: '/v1/creators', body }, options);
  }

  /** The roster, by the platform's user id. */
  list(options?: ListOptions): List<api.FullCreator> {
    return this.api.list('/v1/creators', options);
  }

  /** One creator, refreshed from the platform. */
  get(creatorId: string, options?: CallOptions): ApiCall<api.FullCreator> {
    return this.api.call({ method: 'GET', path: path`/v1/creators/${creatorId}` }, options);
  }

  /** Sets the name; adds aliases and profile URLs, but removes none. */
  update(creatorId: string, body: api.UpdateCreatorBody, options?: CallOptions): ApiCall<api.FullCreator> {
    return this.api.call({ method: 'PATCH', path: path`/v1/creators/${creatorId}`, body }, options);
  }

  /** Withdraws an invitation, or detaches a creator who has accepted it. */
  remove(creatorId: string, options?: CallOptions): ApiCall<api.Creator> {
    return this.api.call({ method: 'DELETE', path: path`/v1/creators/${creatorId}` }, options);
  }

  /** Sends the mail of an invitation again. */
  resendInvitation(creatorId: string, options?: IdempotentCallOptions): ApiCall<api.Creator> {
    const request = { method: 'POST', path: path`/v1/creators/${creatorId}/resend-invitation`, body: {} } as const;
    return this.api.callOnce(request, options);
  }

  /** Switches protection on (`active`) or off (`paused`); while it is on, time is metered and scans are scheduled. */
  setProtection(creatorId: string, body: api.SetProtectionBody, options?: CallOptions): ApiCall<api.Creator> {
    return this.api.call({ method: 'PUT', path: path`/v1/creators/${creatorId}/protection`, body }, options);
  }

  /** Detections, recorded notices and removals, the newest first. */
  activity(creatorId: string, options?: ListOptions): List<api.Activity> {
    return this.api.list(path`/v1/creators/${creatorId}/activity`, options);
  }

  /** The cases as rows of a CSV file. */
  report(creatorId: string, options?: ListOptions): Report {
    return new Report(this.api, path`/v1/creators/${creatorId}/report`, options);
  }
}

/** The API of one agency, by resources. */
export class CreatorProtection {
  readonly connection: Connections;
  readonly workspaces: Workspaces;
  readonly creators: Creators;
  readonly scans: Scans;
  readonly cases: Cases;
  readonly deindexing: Deindexing;
  readonly impersonations: Impersonations;
  readonly usage: Usages;
  readonly events: Events;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.connection = new Connections(transport);
    this.workspaces = new Workspaces(transport);
    this.creators = new Creators(transport);
    this.scans = new Scans(transport);
    this.cases = new Cases(transport);
    this.deindexing = new Deindexing(transport);
    this.impersonations = new Impersonations(transport);
    this.usage = new Usages(transport);
    this.events = new Events(transport);
  }
}
