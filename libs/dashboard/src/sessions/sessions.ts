import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock, type CollectionDefinition, DocumentStore, Logger, StoreUnavailable } from '#kernel';
import { NamedPeople } from '../people/named-people.js';
import type { Person } from '../people/person.js';
import { removeRange } from '../remove-documents.js';
import { endOf, hasEnded, isUseDue, type SessionChange, type SessionDocument } from './session.js';
import { type ProviderTokens, SessionKeys, SessionSecret } from './session-secret.js';

/** Not a read model: its loss only ends the sessions. */
export const DASHBOARD_SESSIONS: CollectionDefinition = {
  name: 'dashboard_sessions',
  indexes: [{ name: 'by_end', fields: ['endsAt'] }],
};

/** Ended sessions that each new one deletes. */
const MAX_SWEPT = 100;
/** About 2 MB. */
const MAX_ENDED = 5_000;
const MAX_ATTEMPTS = 10;

export interface OpenSession {
  readonly secret: SessionSecret;
  readonly session: SessionDocument;
}

@Injectable()
export class Sessions {
  /** Saves lookups for cookies of ended sessions, which may come again at any rate. */
  private readonly ended = new LRUCache<string, true>({ max: MAX_ENDED });

  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly keys: SessionKeys,
    private readonly people: NamedPeople,
  ) {}

  async start(person: Person, tokens: ProviderTokens): Promise<OpenSession> {
    const now = this.clock.now();
    const secret = SessionSecret.create(this.keys);
    const times = { startedAt: now, usedAt: now, claimsAt: now, renewingUntil: 0 };
    const session: SessionDocument = {
      id: secret.id,
      version: 1,
      person,
      owned: [],
      ...times,
      endsAt: endOf(times),
      tokens: await secret.seal(tokens),
    };
    await this.documents.write([{ collection: DASHBOARD_SESSIONS.name, put: [session] }]);
    await this.people.remember(person);
    const ended = { index: 'by_end', lt: now, gte: 0, limit: MAX_SWEPT };
    removeRange(this.documents, DASHBOARD_SESSIONS.name, ended).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'could not delete ended sessions; the next login tries again');
    });
    return { secret, session };
  }

  /** Finds a session that has not ended. Writes its last use once a minute. */
  async find(secret: SessionSecret): Promise<OpenSession | undefined> {
    const found = await this.look(secret);
    const now = this.clock.now();
    if (found === undefined || !isUseDue(found.session, now)) return found;
    return this.change(found, (present) => (isUseDue(present, now) ? { usedAt: now } : {}));
  }

  /** Like `find`, without counting as a use of the session. */
  async look(secret: SessionSecret): Promise<OpenSession | undefined> {
    const { id } = secret;
    if (!secret.isMarkedWith(this.keys) || this.ended.has(id)) return undefined;
    const session = await this.documents.get<SessionDocument>(DASHBOARD_SESSIONS.name, id);
    if (session !== undefined && !hasEnded(session, this.clock.now())) return { secret, session };
    this.ended.set(id, true);
    if (session !== undefined) await this.end(secret);
    return undefined;
  }

  /** Applies a change to the present state. Returns undefined if the session has ended. */
  async change(
    { secret, session }: OpenSession,
    changeOf: (present: SessionDocument) => SessionChange,
  ): Promise<OpenSession | undefined> {
    let present: SessionDocument | undefined = session;
    for (let attempt = 0; attempt < MAX_ATTEMPTS && present !== undefined; attempt += 1) {
      const change = changeOf(present);
      if (Object.keys(change).length === 0) return { secret, session: present };
      const { version } = present;
      const changed: SessionDocument = { ...present, ...change, version: version + 1 };
      const stored = { ...changed, endsAt: endOf(changed) };
      if (await this.documents.compareAndSet(DASHBOARD_SESSIONS.name, stored, { version })) {
        return { secret, session: stored };
      }
      present = await this.documents.get<SessionDocument>(DASHBOARD_SESSIONS.name, secret.id);
    }
    if (present !== undefined) throw new StoreUnavailable('too many requests changed the session at the same moment');
    return undefined;
  }

  async end(secret: SessionSecret): Promise<void> {
    await this.documents.write([{ collection: DASHBOARD_SESSIONS.name, remove: [secret.id] }]);
  }
}
