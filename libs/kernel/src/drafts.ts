import type { CollectionWrite, Document } from './document-store.js';
import type { DomainEvent, RecordedEvent } from './event.js';
import type { EventProjection, Projected } from './projection.js';

type Handler = EventProjection<Document, DomainEvent>;
type Stored = Projected<Document>;

/** A document as it will be. */
interface Draft {
  /** Undefined where there is none, or none any more. */
  document: Stored | undefined;
  /** False while nobody has looked whether the store has it: until then its steps wait. */
  isKnown: boolean;
  isStored: boolean;
  /** Made and removed again by these very events: a slower runner may be about to write what it was in between. */
  isFleeting: boolean;
  isChanged: boolean;
  bytes: number;
}

/** Puts and removals, ready for a write. */
type Changes = Required<Omit<CollectionWrite, 'collection'>>;

interface Step {
  readonly draft: Draft;
  readonly handler: Handler;
  readonly event: RecordedEvent;
  readonly id: string;
}

/**
 * What events make of the documents of one collection, until it is written. Each document is loaded once, and only if
 * the store may have it; one that has seen an event skips it, so that events may be applied again.
 */
export class Drafts {
  /** About how much memory they take. */
  bytes = 0;
  private readonly drafts = new Map<string, Draft>();
  private unknown: string[] = [];
  private waiting: Step[] = [];

  constructor(
    private readonly mayBeStored: (id: string) => boolean = () => true,
    /** How much memory a document takes, where that matters. */
    private readonly sizeOf: (document: Stored | undefined) => number = () => 0,
  ) {}

  apply(handler: Handler, event: RecordedEvent): void {
    const ids = handler.documents(event);
    if (typeof ids === 'string') this.step(handler, event, ids);
    else for (const id of ids) this.step(handler, event, id);
  }

  /** Takes the steps that had to wait for documents of the store; to be called after each page of events. */
  async load(getMany: (ids: readonly string[]) => Promise<readonly Stored[]>): Promise<void> {
    const { unknown, waiting } = this;
    if (unknown.length === 0) return;
    this.unknown = [];
    this.waiting = [];
    for (const stored of await getMany(unknown)) {
      const draft = this.drafts.get(stored.id);
      if (draft === undefined) continue;
      draft.document = stored;
      draft.isStored = true;
    }
    for (const { draft, handler, event, id } of waiting) {
      draft.isKnown = true;
      this.fold(draft, handler, event, id);
    }
  }

  /**
   * What the store has to be told of the changed ids, in their order: each document as it came to be, or that it is no
   * more. A piece has at most so many of them, and ends where it has so many bytes.
   */
  *changes(
    most: { readonly documents: number; readonly bytes: number },
    changed: readonly string[] = this.changed(),
  ): Generator<Changes> {
    let put: Stored[] = [];
    let remove: string[] = [];
    let bytes = 0;
    for (const id of changed.toSorted()) {
      const draft = this.drafts.get(id);
      if (draft?.document === undefined) remove.push(id);
      else put.push(draft.document);
      bytes += draft?.bytes ?? 0;
      if (put.length + remove.length < most.documents && bytes < most.bytes) continue;
      yield { put, remove };
      put = [];
      remove = [];
      bytes = 0;
    }
    if (put.length + remove.length > 0) yield { put, remove };
  }

  /** The ids of all documents of which the store has to be told something. */
  changed(): string[] {
    const ids: string[] = [];
    for (const [id, { document, isStored, isFleeting, isChanged }] of this.drafts) {
      if (isChanged && (isStored || isFleeting || document !== undefined)) ids.push(id);
    }
    return ids;
  }

  has(id: string): boolean {
    return this.drafts.has(id);
  }

  /** The document as it is to be, if it is to be. */
  get(id: string): Stored | undefined {
    return this.drafts.get(id)?.document;
  }

  private step(handler: Handler, event: RecordedEvent, id: string): void {
    const draft = this.drafts.get(id) ?? this.begin(id);
    if (draft.isKnown) this.fold(draft, handler, event, id);
    else this.waiting.push({ draft, handler, event, id });
  }

  private begin(id: string): Draft {
    const isKnown = !this.mayBeStored(id);
    if (!isKnown) this.unknown.push(id);
    const draft: Draft = {
      document: undefined,
      isKnown,
      isStored: false,
      isFleeting: false,
      isChanged: false,
      bytes: DRAFT,
    };
    this.drafts.set(id, draft);
    this.bytes += DRAFT;
    return draft;
  }

  private fold(draft: Draft, handler: Handler, event: RecordedEvent, id: string): void {
    const { document } = draft;
    if (document !== undefined && document.position >= event.position) return;
    const folded = handler.fold(document, event, id);
    draft.document = folded === undefined ? undefined : reflecting(folded, document, event);
    draft.isFleeting ||= folded === undefined && document !== undefined && this.mayBeStored(id);
    draft.isChanged = true;
    // Looked at once: what changes often would cost more to measure than to fold, and hardly grows.
    const isMeasured = draft.bytes > DRAFT && draft.document !== undefined;
    const bytes = isMeasured ? draft.bytes : DRAFT + this.sizeOf(draft.document);
    this.bytes += bytes - draft.bytes;
    draft.bytes = bytes;
  }
}

/** What a fold has made is nobody else's yet: it need not be copied to be given its position. */
const reflecting = (folded: Document, before: Stored | undefined, { position }: RecordedEvent): Stored => {
  if (folded === before) return { ...before, position };
  const made = folded as { -readonly [Member in keyof Stored]: Stored[Member] };
  made.position = position;
  return made;
};

/** What is kept of a document beside itself. */
const DRAFT = 150;
const OF_A_VALUE = 16;

/** About how much memory a JSON value takes. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return OF_A_VALUE + value.length;
  if (typeof value !== 'object' || value === null) return OF_A_VALUE;
  let size = OF_A_VALUE;
  for (const member in value) size += sizeOf((value as Record<string, unknown>)[member]);
  return size;
};
