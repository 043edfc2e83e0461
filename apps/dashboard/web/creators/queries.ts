import type { CreatorsAnswer, DashboardCase, DashboardCreatorAnswer } from '../../answers/creators.js';
import type { ListedDeliveryAnswer } from '../../answers/deliveries.js';
import type { LeftOutAnswer } from '../../answers/overview.js';
import type { PageOf } from '../../answers/parts.js';
import { PAGE_SIZE, serverQuery } from '../api/server-query.js';
import type { Filters } from '../components/filters.js';
import type { Tone } from '../components/status.js';

export const TONES: Readonly<Record<string, Tone>> = { active: 'good', paused: 'wait' };

export const leftOutQuery = (creator: string | undefined) =>
  serverQuery<LeftOutAnswer>('creators', '/api/left-out', { creator });

export const creatorsQuery = (search: Filters<'text' | 'enrollment_status' | 'protection_status' | 'after'>) =>
  serverQuery<CreatorsAnswer>('creators', '/api/creators', { ...search, limit: PAGE_SIZE });

const pathOf = (id: string): string => `/api/creators/${encodeURIComponent(id)}`;

export const creatorQuery = (id: string) => serverQuery<DashboardCreatorAnswer>('creators', pathOf(id));

/** A part of what has happened to a creator, such as `timeline`. */
export const historyQuery = <Row>(id: string, part: string, after: string | undefined) =>
  serverQuery<PageOf<Row>>('creators', `${pathOf(id)}/${part}`, { after, limit: PAGE_SIZE });

export const casesQuery = (id: string, search: Filters<'status' | 'source' | 'site' | 'after'>) =>
  serverQuery<PageOf<DashboardCase>>('creators', `${pathOf(id)}/cases`, { ...search, limit: PAGE_SIZE });

export const deliveriesOfCreatorQuery = (creator: string, _: string, after: string | undefined) =>
  serverQuery<PageOf<ListedDeliveryAnswer>>('deliveries', '/api/deliveries', { creator, after, limit: PAGE_SIZE });
