import { Follower, type FollowOptions } from '../events/follower.js';
import type { AnyEvent } from '../events/known-event.js';
import type { List } from '../list.js';
import type { ListOptions } from '../options.js';
import type { Operations } from '../transport/operations.js';

export class Events {
  constructor(private readonly api: Operations) {}

  /** The feed from its start, or after an event, up to its present end. */
  list(options?: ListOptions): List<AnyEvent> {
    return this.api.list('/v1/events', options);
  }

  /** The feed from its start, or after a cursor, and each event from then on, until the signal aborts. */
  follow(options?: FollowOptions): Follower {
    return new Follower(this.api, options);
  }
}
