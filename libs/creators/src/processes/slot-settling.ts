import { Injectable } from '@nestjs/common';
import { dueContext } from '#jobs';
import { type CreatorId, DomainError, type DueHandler, type DueOutcome, type StoredDueItem } from '#kernel';
import { ProtectionSlots } from '../application/protection-slots.js';
import { CreatorsOptions } from '../creators.options.js';
import { ACTIVATION_TIMEOUT } from '../domain/protection/protection.js';

/** Abandons activations that were never settled, gives back slots that are no longer needed (D42), occupies lost ones (D77). */
@Injectable()
export class SlotSettling implements DueHandler {
  readonly kind = 'slot';
  readonly concurrency = 4;

  constructor(
    private readonly slots: ProtectionSlots,
    private readonly options: CreatorsOptions,
  ) {}

  async handle(item: StoredDueItem): Promise<DueOutcome> {
    const callTime = 2 * this.options.providerTimeout;
    const settled = await this.slots.settle(item.subject as CreatorId, callTime, dueContext(item));
    if (settled.status === 'unknown') return 'idle';
    const { slot } = settled;
    switch (slot.status) {
      case 'requested':
        return { retryAt: slot.since + Math.max(ACTIVATION_TIMEOUT, callTime) };
      case 'reoccupying':
        return { retryAt: slot.since + callTime };
      case 'to_release':
        throw new DomainError('provider_unavailable');
      case 'free':
      case 'held':
        // Settled by an event that the item has yet to see, or with nothing left to do.
        return 'idle';
    }
  }
}
