import type { OverviewAnswer } from '../../src/overview/answers.js';
import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';

export const overviewQuery = serverQuery<OverviewAnswer>('overview', '/api/overview');

/** Binds the agency to the owner that the person saw; refused if the platform names another one by now. */
export const bindAgency = (ownerUserId: string): Promise<unknown> =>
  call('/api/binding', { method: 'POST', body: { owner_user_id: ownerUserId } });
