export interface ListOf<Item> {
  readonly data: readonly Item[];
}

export interface PageOf<Item> extends ListOf<Item> {
  readonly next_cursor: string | null;
}

/** A page of search results. */
export interface FoundPageOf<Item> extends PageOf<Item> {
  /** The time of the last item that was read, if the search stopped before it was complete. */
  readonly searched_until: number | null;
}

/** Code to copy. The programs read their secret from the environment. */
export interface CodeSamplesAnswer {
  readonly curl: string;
  readonly typescript: string;
  readonly python?: string;
}

export type EventType =
  | 'protection.activated'
  | 'protection.paused'
  | 'scan.completed'
  | 'scan.failed'
  | 'creator.updated'
  | 'case.created'
  | 'case.updated'
  | 'case.deleted'
  | 'deindex.status_changed'
  | 'impersonation.created'
  | 'impersonation.updated'
  | 'impersonation.deleted';

export interface SearchResult {
  readonly kind: 'creator' | 'key' | 'endpoint' | 'case' | 'id';
  readonly name: string;
  /** Distinguishes it from others of the same name. */
  readonly detail: string | null;
  /** Relative to the dashboard's address, such as `/creators/crt_…`. */
  readonly path: string;
}
