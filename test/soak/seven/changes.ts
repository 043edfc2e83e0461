import type { FeedEvent } from './feed-follower.js';

/** Changes that an agency has made or seen. The feed must have each of them. */
export class Changes {
  /** Described changes, until their event is seen. */
  private readonly unpublished = new Set<string>();
  private readonly published = new Map<string, number>();
  private readonly wanted = new Map<string, number>();

  /** The feed has to hold at least one event of this kind. */
  expect(change: string): void {
    this.unpublished.add(change);
  }

  /** The feed has to hold exactly as many as were counted. */
  count(change: string): void {
    this.wanted.set(change, (this.wanted.get(change) ?? 0) + 1);
  }

  heard({ type, data }: FeedEvent): void {
    const { creator_id, scan_id, case_id, deindex_request_id, creator } = data;
    this.unpublished.delete(`${type} ${deindex_request_id ?? case_id ?? scan_id ?? creator_id}`);
    if (creator !== undefined) {
      this.unpublished.delete(`external id ${creator.external_id}`);
      for (const alias of creator.aliases) this.unpublished.delete(`alias ${alias}`);
    }
    const counted = `${type} ${creator_id}`;
    this.published.set(counted, (this.published.get(counted) ?? 0) + 1);
  }

  get missing(): string[] {
    const wrong = [...this.wanted].filter(([change, count]) => this.published.get(change) !== count);
    return [
      ...this.unpublished,
      ...wrong.map(([change, count]) => `${change}: ${count} times, the feed has ${this.published.get(change) ?? 0}`),
    ];
  }
}
