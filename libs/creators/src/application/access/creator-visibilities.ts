import { Injectable } from '@nestjs/common';
import { Caches, Clock, CommandRunner, type CreatorId, EventLog } from '#kernel';
import { creatorDecider } from '../../domain/creator.js';
import { type CreatorVisibility, visibilityOf, withoutTexts } from '../../domain/membership/visibility.js';

/** Some 5,500 creators. */
const CACHE_BYTES = 6 * 1024 * 1024;

const textless: typeof creatorDecider = {
  ...creatorDecider,
  evolve: (state, event, at) => withoutTexts(creatorDecider.evolve(state, event, at)),
};

/** It has a separate cache: states with texts may be evicted, and a page of events would read whole streams again. */
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
