import type { AttentionAnswer, OverviewAnswer } from '../../answers/overview.js';
import { post } from '../api/client.js';
import { serverQuery } from '../api/server-query.js';

export const overviewQuery = serverQuery<OverviewAnswer>('overview', '/api/overview');
export const attentionQuery = serverQuery<AttentionAnswer>('overview', '/api/attention');

/** Sends the owner that the person saw. The server refuses it if the platform names another one by now. */
export const bindAgency = (ownerUserId: string) => post('/api/binding', { owner_user_id: ownerUserId });
