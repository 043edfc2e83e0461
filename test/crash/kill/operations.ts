import type { SandboxClient } from '../../../apps/platform-sandbox/src/index.js';
import type { AgencyClient, Answer } from '../support/agency-client.js';
import type { RequestedScan, Subject } from './subject.js';

/** `again`: the answer was one after which a client repeats the very same request. */
export type Outcome = 'acknowledged' | 'again' | { readonly complaint: string };

export interface Operation {
  readonly name: string;
  readonly subject: Subject;
  /** Sends the request once; rejects where it was not answered. */
  attempt(client: AgencyClient): Promise<Outcome>;
}

const REPEATABLE: ReadonlySet<number> = new Set([502, 503, 504]);

const unexpected = (what: string, { status, body }: Answer<unknown>): Outcome =>
  REPEATABLE.has(status) ? 'again' : { complaint: `${what}: ${status} ${JSON.stringify(body)}` };

const idOf = ({ id, externalId }: Subject): string => {
  if (id === undefined) throw new Error(`${externalId} has not been acknowledged`);
  return id;
};

export const enroll = (subject: Subject): Operation => ({
  name: `enroll ${subject.externalId}`,
  subject,
  async attempt(client) {
    const answer = await client.enroll(subject.enrollment);
    if (answer.status !== 200 && answer.status !== 201) return unexpected(this.name, answer);
    const { id, external_id } = answer.body;
    if (external_id !== subject.externalId) return { complaint: `${this.name}: answered ${external_id}` };
    if (subject.id !== undefined && subject.id !== id)
      return { complaint: `${this.name}: was ${subject.id}, is ${id}` };
    subject.id = id;
    return 'acknowledged';
  },
});

export const protect = (subject: Subject, status: 'active' | 'paused'): Operation => ({
  name: `${status} ${subject.externalId}`,
  subject,
  async attempt(client) {
    const answer = await client.protect(idOf(subject), status);
    if (answer.status !== 200) return unexpected(this.name, answer);
    const shown = answer.body.protection_status;
    if (shown !== status) return { complaint: `${this.name}: answered ${shown}` };
    if (subject.protection !== status) subject.changes += 1;
    subject.protection = status;
    return 'acknowledged';
  },
});

/** While another scan is pending, the key is not used up; the requested scan is forgotten. */
export const queueScan = (subject: Subject, requested: RequestedScan): Operation => ({
  name: `scan ${subject.externalId} ${requested.key}`,
  subject,
  async attempt(client) {
    const answer = await client.queueScan(idOf(subject), requested.key);
    if (answer.status === 409 && answer.body.error?.code === 'scan_in_progress') {
      return subject.scans.length > 0 ? 'acknowledged' : { complaint: `${this.name}: no other was ever accepted` };
    }
    if (answer.status !== 200 && answer.status !== 202) return unexpected(this.name, answer);
    const { id, creator_id } = answer.body;
    if (creator_id !== subject.id) return { complaint: `${this.name}: answered for ${creator_id}` };
    if (requested.id !== undefined && requested.id !== id)
      return { complaint: `${this.name}: was ${requested.id}, is ${id}` };
    if (requested.id === undefined) subject.scans.push(requested);
    requested.id = id;
    return 'acknowledged';
  },
});

/** A profile comes with it, so that a scan ordered before and one ordered after would have different bodies. */
export const addAlias = (subject: Subject, alias: string): Operation => ({
  name: `alias ${subject.externalId} ${alias}`,
  subject,
  async attempt(client) {
    const profile = `https://x.com/${alias.replaceAll(' ', '_')}`;
    const answer = await client.update(idOf(subject), { aliases: [alias], profile_urls: [profile] });
    if (answer.status !== 200) return unexpected(this.name, answer);
    if (!answer.body.aliases.includes(alias)) return { complaint: `${this.name}: is not in the answer` };
    subject.aliases.push(alias);
    return 'acknowledged';
  },
});

/** The invitee accepts and completes onboarding, and the agency looks. */
export const onboard = (subject: Subject, platform: SandboxClient): Operation => {
  let isOnboarded = false;
  return {
    name: `onboard ${subject.externalId}`,
    subject,
    async attempt(client) {
      const id = idOf(subject);
      if (!isOnboarded) {
        const { status } = await platform.call('PATCH', `/_sandbox/invitations/${id}`, {
          status: 'onboarded',
          eligible: true,
        });
        // The invitation is uncertain: it may not have reached the platform yet.
        if (status === 404) return 'acknowledged';
        isOnboarded = true;
      }
      const answer = await client.creator(id);
      if (answer.status !== 200) return unexpected(this.name, answer);
      if (answer.body.svc_user_id === null) return 'again';
      subject.userId = answer.body.svc_user_id;
      return 'acknowledged';
    },
  };
};

/** Checks that an acknowledged change can be read immediately (read your writes). */
export const look = (subject: Subject): Operation => ({
  name: `read ${subject.externalId}`,
  subject,
  async attempt(client) {
    const answer = await client.creator(idOf(subject));
    if (answer.status !== 200) return unexpected(this.name, answer);
    const { external_id, protection_status, aliases } = answer.body;
    const isThere = external_id === subject.externalId && protection_status === subject.protection;
    const missing = subject.userId === undefined ? [] : subject.aliases.filter((alias) => !aliases.includes(alias));
    if (!isThere || missing.length > 0) return { complaint: `${this.name}: ${JSON.stringify(answer.body)}` };
    return 'acknowledged';
  },
});

export const lookAtScan = (subject: Subject, { id }: RequestedScan): Operation => ({
  name: `read ${id}`,
  subject,
  async attempt(client) {
    const answer = await client.scan(id ?? '');
    if (answer.status !== 200) return unexpected(this.name, answer);
    return answer.body.creator_id === subject.id ? 'acknowledged' : { complaint: `${this.name}: another creator's` };
  },
});

export const lookAtCases = (subject: Subject): Operation => ({
  name: `cases of ${subject.externalId}`,
  subject,
  async attempt(client) {
    const answer = await client.pageOfCases(idOf(subject));
    return answer.status === 200 ? 'acknowledged' : unexpected(this.name, answer);
  },
});
