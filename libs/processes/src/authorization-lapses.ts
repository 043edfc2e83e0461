import { type Creators, observeLapse } from '#creators';
import type { CreatorId, DueHandler } from '#kernel';
import { roundContext } from './due-context.js';

/** Records that a mandate's end has passed by the clock (D40). */
export const authorizationLapses = (creators: Creators): DueHandler => ({
  kind: 'authorizationEnd',
  concurrency: 8,
  async handle(item) {
    await creators.decide(item.subject as CreatorId, roundContext(item), observeLapse);
    return 'moved_on';
  },
});
