import {
  type Document,
  type DomainEvent,
  type EventProjection,
  memorySizeOf,
  type Position,
  type Projected,
  type RecordedEvent,
  type Removal,
} from '#kernel';

type Handler = EventProjection<Document, DomainEvent>;
type Stored = Projected<Document>;

interface DocumentChange {
  /** Undefined if the document does not exist, or is removed. */
  document: Stored | undefined;
  /** False until the stored document has been read; folds wait for that. */
  isLoaded: boolean;
  isChanged: boolean;
  /** The position of the last event that changed it. */
  position: Position;
  bytes: number;
}

interface WriteBatch {
  readonly put: readonly Document[];
  readonly remove: readonly Removal[];
}

/** The unwritten changes to one collection. A document skips an event that it reflects, so events may be applied again. */
export class DocumentChanges {
  bytes = 0;
  private readonly byId = new Map<string, DocumentChange>();
  private idsToLoad: string[] = [];
  private pendingFolds: (() => void)[] = [];

  constructor(
    private readonly mayBeStored: boolean = true,
    /** Is called for an event that cannot be folded, and the event is skipped. Without it, the error is thrown. */
    private readonly onFailure: ((event: RecordedEvent, error: unknown) => void) | undefined = undefined,
  ) {}

  apply(handler: Handler, event: RecordedEvent): void {
    const ids = this.unlessFailing(event, () => handler.documents(event)) ?? [];
    if (typeof ids === 'string') this.applyTo(ids, handler, event);
    else for (const id of ids) this.applyTo(id, handler, event);
  }

  /** Loads the documents that folds wait for, and folds them. Call it after each page of events. */
  async load(getMany: (ids: readonly string[]) => Promise<readonly Stored[]>): Promise<void> {
    const { idsToLoad, pendingFolds } = this;
    if (idsToLoad.length === 0) return;
    this.idsToLoad = [];
    this.pendingFolds = [];
    for (const stored of await getMany(idsToLoad)) {
      const change = this.byId.get(stored.id);
      if (change !== undefined) change.document = stored;
    }
    for (const fold of pendingFolds) fold();
  }

  /** The writes, in the order of the ids. A batch ends at the first of the two limits. */
  *batches(limit: { readonly documents: number; readonly bytes: number }): Generator<WriteBatch> {
    let put: Stored[] = [];
    let remove: Removal[] = [];
    let bytes = 0;
    for (const id of [...this.byId.keys()].toSorted()) {
      const change = this.byId.get(id);
      if (!change?.isChanged) continue;
      // A document that these events created and removed: a former leader may still write what it was in between.
      if (change.document === undefined && !this.mayBeStored) continue;
      if (change.document === undefined) remove.push({ id, position: change.position });
      else put.push(change.document);
      bytes += change.bytes;
      if (put.length + remove.length < limit.documents && bytes < limit.bytes) continue;
      yield { put, remove };
      put = [];
      remove = [];
      bytes = 0;
    }
    if (put.length + remove.length > 0) yield { put, remove };
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** The document after its changes; undefined if they remove it. */
  get(id: string): Stored | undefined {
    return this.byId.get(id)?.document;
  }

  private applyTo(id: string, handler: Handler, event: RecordedEvent): void {
    const change = this.byId.get(id) ?? this.add(id);
    const fold = () => this.fold(change, handler, event, id);
    if (change.isLoaded) fold();
    else this.pendingFolds.push(fold);
  }

  private unlessFailing<T>(event: RecordedEvent, task: () => T): T | undefined {
    if (this.onFailure === undefined) return task();
    try {
      return task();
    } catch (error) {
      this.onFailure(event, error);
      return undefined;
    }
  }

  private add(id: string): DocumentChange {
    const isLoaded = !this.mayBeStored;
    if (!isLoaded) this.idsToLoad.push(id);
    const change: DocumentChange = { document: undefined, isLoaded, isChanged: false, position: 0, bytes: ENTRY_BYTES };
    this.byId.set(id, change);
    this.bytes += ENTRY_BYTES;
    return change;
  }

  private fold(change: DocumentChange, handler: Handler, event: RecordedEvent, id: string): void {
    change.isLoaded = true;
    const { document } = change;
    if (document !== undefined && document.position >= event.position) return;
    const outcome = this.unlessFailing(event, () => ({ folded: handler.fold(document, event, id) }));
    if (outcome === undefined) return;
    const { folded } = outcome;
    change.document = folded === undefined ? undefined : withPosition(folded, document, event);
    change.isChanged ||= folded !== undefined || document !== undefined;
    change.position = event.position;
    // A document is measured once: measuring costs more than folding, and a document that changes often hardly grows.
    const isMeasured = change.bytes > ENTRY_BYTES && change.document !== undefined;
    const bytes = isMeasured ? change.bytes : ENTRY_BYTES + memorySizeOf(change.document);
    this.bytes += bytes - change.bytes;
    change.bytes = bytes;
  }
}

/** A new object of a fold has no other user yet, so the position is set in it without a copy. */
const withPosition = (folded: Document, before: Stored | undefined, { position }: RecordedEvent): Stored => {
  if (folded === before) return { ...before, position };
  const created = folded as { -readonly [Member in keyof Stored]: Stored[Member] };
  created.position = position;
  return created;
};

const ENTRY_BYTES = 150;
