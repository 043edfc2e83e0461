import { Injectable } from '@nestjs/common';
import { Caches, Clock, CommandRunner, type CreatorId, EventLog } from '#kernel';
import { type CreatorVisibility, textlessCreatorDecider, visibilityOf } from '../domain/membership/visibility.js';

/** Some ten thousand creators. */
const CACHE_BYTES = 6 * 1024 * 1024;

/**
 * Says for many creators whether their agency can see them. It caches states of its own: those with their texts may be
 * evicted, and a page of events would read whole streams of large creators again.
 */
@Injectable()
export class CreatorVisibilities {
  private readonly runner: CommandRunner;

  constructor(log: EventLog, clock: Clock, caches: Caches = Caches.ON) {
    this.runner = new CommandRunner(log, clock, { caches, cacheBytes: CACHE_BYTES });
  }

  async of(creatorIds: Iterable<CreatorId>): Promise<ReadonlyMap<CreatorId, CreatorVisibility>> {
    const loaded = await this.runner.loadAll(textlessCreatorDecider, [...creatorIds]);
    return new Map(loaded.map(({ id, state }) => [id, visibilityOf(state)]));
  }
}
