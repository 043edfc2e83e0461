import type { EventAnswer, ListedEventAnswer } from '../../answers/events.js';
import type { FoundPageOf } from '../../answers/parts.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from '../components/filters.js';

export const eventsQuery = (search: Filters<'type' | 'creator' | 'from' | 'to' | 'after'>) =>
  serverQuery<FoundPageOf<ListedEventAnswer>>('events', '/api/events', { ...search, limit: PAGE_SIZE });

export const eventQuery = (id: string) => serverQuery<EventAnswer>('events', `/api/events/${encodeURIComponent(id)}`);
