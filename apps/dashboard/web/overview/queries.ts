import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';
import type { BindingAnswer, OverviewAnswer } from '../api/types.gen.js';

export const overviewQuery = serverQuery<OverviewAnswer>('overview', '/api/overview');

/** Binds the agency to the owner that the person saw; refused if the platform names another one by now. */
export const bindAgency = (ownerUserId: string): Promise<BindingAnswer> =>
  call('/api/binding', { method: 'POST', body: { owner_user_id: ownerUserId } });
