export interface ListOf<Item> {
  readonly data: readonly Item[];
}

export interface PageOf<Item> extends ListOf<Item> {
  readonly next_cursor: string | null;
}

/** A page of what a search has found. */
export interface FoundPageOf<Item> extends PageOf<Item> {
  /** The time of the last item that was read, if the search has stopped before it was complete. */
  readonly searched_until: number | null;
}

/** Code to copy. What is in TypeScript reads its secret from the environment. */
export interface CodeSamplesAnswer {
  readonly curl: string;
  readonly typescript: string;
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

export interface SearchAnswer {
  /** The page below the address of the dashboard, such as `/creators/crt_…`; null where nothing has the id. */
  readonly path: string | null;
}
