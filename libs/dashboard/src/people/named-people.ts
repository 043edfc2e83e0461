import { Injectable } from '@nestjs/common';
import {
  Clock,
  type CollectionDefinition,
  DAY,
  type Document,
  DocumentStore,
  type Duration,
  type Instant,
} from '#kernel';
import { removeRange } from '../remove-documents.js';
import { actorOf, type Person } from './person.js';

/** Not a read model: names never get into the log. Its loss shows ids until people sign in again. */
export const DASHBOARD_PEOPLE: CollectionDefinition = {
  name: 'dashboard_people',
  indexes: [{ name: 'by_end', fields: ['endsAt'] }],
};

const KEPT_FOR: Duration = 400 * DAY;
/** Limits the ended ones that a sign-in deletes. */
const MAX_SWEPT = 100;

/** The id is an actor of the event log. */
interface NamedPerson extends Document {
  readonly name: string;
  readonly endsAt: Instant;
}

/** The names of people who signed in, by their actors in the event log. */
@Injectable()
export class NamedPeople {
  constructor(
    private readonly documents: DocumentStore,
    private readonly clock: Clock,
  ) {}

  /** A person may act as one of the agency, or as staff. */
  async remember(person: Person): Promise<void> {
    const now = this.clock.now();
    const { name } = person;
    if (name !== null) {
      const actors = new Set([actorOf(person, true), actorOf(person, false)]);
      const put = [...actors].map((id): NamedPerson => ({ id, name, endsAt: now + KEPT_FOR }));
      await this.documents.write([{ collection: DASHBOARD_PEOPLE.name, put }]);
    }
    await removeRange(this.documents, DASHBOARD_PEOPLE.name, { index: 'by_end', gte: 0, lt: now, limit: MAX_SWEPT });
  }

  async of(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(actors)].filter((actor) => actor.startsWith('user:'));
    if (ids.length === 0) return new Map();
    const found = await this.documents.getMany<NamedPerson>(DASHBOARD_PEOPLE.name, ids);
    const now = this.clock.now();
    return new Map(found.filter(({ endsAt }) => endsAt > now).map(({ id, name }) => [id, name]));
  }
}
