import type { ApiClient } from '../api-client.js';

export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: {
    readonly creator_id: string;
    readonly scan_id?: string;
    readonly case_id?: string;
    readonly deindex_request_id?: string;
    readonly creator?: { readonly aliases: readonly string[]; readonly external_id: string };
  };
}

interface FeedPage {
  readonly data: readonly FeedEvent[];
  readonly next_cursor: string | null;
}

/** Reads a feed to its end as a client does, from where it was last. */
export class FeedFollower {
  /** In the order in which they were shown. */
  readonly seen: string[] = [];
  private after = '';
  private isReading = false;

  constructor(private readonly api: ApiClient) {}

  /** One page, while no other is being read; whether there is more. */
  async look(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    const { status, body } = await this.api.send<FeedPage>('events', 'GET', `/v1/events?limit=100${this.after}`);
    if (status === 200) this.take(body);
    this.isReading = false;
  }

  /** All that is left, however long the rate limit makes it take. */
  async finish(onEvent: (event: FeedEvent) => void): Promise<void> {
    for (;;) {
      const page = await this.api.withRetries<FeedPage>(`/v1/events?limit=100${this.after}`);
      for (const event of page.data) onEvent(event);
      this.take(page);
      if (page.next_cursor === null) return;
    }
  }

  private take({ data, next_cursor }: FeedPage): void {
    this.seen.push(...data.map(({ id }) => id));
    const cursor = next_cursor ?? data.at(-1)?.id;
    if (cursor !== undefined) this.after = `&after=${cursor}`;
  }
}
