import { Injectable } from '@nestjs/common';
import { Caches, Clock, CommandRunner, type CreatorId, EventLog, type Instant } from '#kernel';
import { creatorDecider, withoutTexts } from '../../domain/creator.js';
import { type CreatorState, isAccessible, isErased } from '../../domain/creator.state.js';

/** Some 5,500 creators. */
const CACHE_BYTES = 6 * 1024 * 1024;

/** A state takes less than a kilobyte without its texts, of which it may have 200. */
const textless: typeof creatorDecider = {
  ...creatorDecider,
  evolve: (state, event, at) => withoutTexts(creatorDecider.evolve(state, event, at)),
};

/** Whether the agency can see a creator now, and if not, why (D9, D28, D43). */
export type CreatorVisibility =
  | { readonly kind: 'visible' }
  /** It may return (D77). */
  | { readonly kind: 'missing'; readonly since: Instant }
  | { readonly kind: 'ended' }
  | { readonly kind: 'erased' };

/** A separate cache: states with texts may be evicted, and then a page of events would read whole streams again. */
@Injectable()
export class CreatorVisibilities {
  private readonly runner: CommandRunner;

  constructor(log: EventLog, clock: Clock, caches: Caches = Caches.ON) {
    this.runner = new CommandRunner(log, clock, { caches, cacheBytes: CACHE_BYTES });
  }

  async of(creatorIds: Iterable<CreatorId>): Promise<ReadonlyMap<CreatorId, CreatorVisibility>> {
    const loaded = await this.runner.loadAll(textless, [...creatorIds]);
    return new Map(loaded.map(({ id, state }) => [id, visibilityOf(state)]));
  }
}

const visibilityOf = (creator: CreatorState): CreatorVisibility => {
  if (creator.status !== 'known') return { kind: 'ended' };
  if (creator.membership.status === 'missing') return { kind: 'missing', since: creator.membership.since };
  if (isAccessible(creator)) return { kind: 'visible' };
  return { kind: isErased(creator) ? 'erased' : 'ended' };
};
