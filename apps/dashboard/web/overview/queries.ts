import type { AttentionAnswer, OverviewAnswer } from '../../answers/overview.js';
import { call } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';

export const overviewQuery = serverQuery<OverviewAnswer>('overview', '/api/overview');
export const attentionQuery = serverQuery<AttentionAnswer>('overview', '/api/attention');

/** Sends the owner that the person saw. The server refuses it if the platform names another one by now. */
export const bindAgency = (ownerUserId: string): Promise<unknown> =>
  call('/api/binding', { method: 'POST', body: { owner_user_id: ownerUserId } });
