import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.js';
import type { BindingAnswer, OverviewAnswer } from '../api/types.gen.js';

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call<OverviewAnswer>('/api/overview', { signal }),
});

/** Binds the agency to the owner that the person saw; refused if the platform names another one by now. */
export const bindAgency = (ownerUserId: string): Promise<BindingAnswer> =>
  call('/api/binding', { method: 'POST', body: { owner_user_id: ownerUserId } });
