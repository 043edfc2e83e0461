import { ACTIVATION_TIMEOUT, type Protections } from '#creators';
import { type CreatorId, DomainError, type DueHandler } from '#kernel';
import { dueContext } from './due-context.js';

/** Abandons activations that were never settled, and gives back slots that are no longer needed (D42). */
export const slotSettling = (protections: Protections): DueHandler => ({
  kind: 'slot',
  concurrency: 4,
  async handle(item) {
    const settled = await protections.settle(item.subject as CreatorId, dueContext(item));
    if (settled.status === 'unknown') return 'moved_on';
    if (settled.slot.status === 'requested') return { again: settled.slot.since + ACTIVATION_TIMEOUT };
    if (settled.slot.status === 'to_release') throw new DomainError('provider_unavailable');
    return 'moved_on';
  },
});
