import { roundContext } from '#jobs';
import type { CreatorId, DueHandler } from '#kernel';
import type { Creators } from '../application/creators.js';
import { observeLapse } from '../domain/membership/observation.js';

/** Records that a mandate's end has passed by the clock (D40). */
export const authorizationLapses = (creators: Creators): DueHandler => ({
  kind: 'authorizationEnd',
  concurrency: 8,
  async handle(item) {
    await creators.decide(item.subject as CreatorId, roundContext(item), observeLapse);
    return 'idle';
  },
});
