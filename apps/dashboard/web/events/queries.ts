import type { EventAnswer, EventsAnswer } from '../../src/events/answers.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from './filters.js';

export const eventsQuery = (filters: Filters, after: string | undefined) =>
  serverQuery<EventsAnswer>('events', '/api/events', { ...filters, after, limit: PAGE_SIZE });

export const eventQuery = (id: string) => serverQuery<EventAnswer>('events', `/api/events/${encodeURIComponent(id)}`);
