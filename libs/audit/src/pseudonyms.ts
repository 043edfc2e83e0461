import { ENCRYPTED, ERASED, type RecordedEvent } from '#kernel';

/** The same placeholder for the same value, so that a reader sees which values are equal and what changed. */
export class Pseudonyms {
  private readonly known = new Map<string, string>();

  /** The event with each text of its `personal` member replaced. */
  hide<Event extends RecordedEvent>(event: Event): Event {
    if (!('personal' in event.data)) return event;
    return { ...event, data: { ...event.data, personal: this.hidden(event.data.personal) } };
  }

  private hidden(value: unknown): unknown {
    // A stand-in such as `[erased]` is not personal.
    if (value === ERASED || value === ENCRYPTED) return value;
    if (typeof value === 'string') return this.standIn(value);
    if (Array.isArray(value)) return value.map((item) => this.hidden(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, this.hidden(member)]));
  }

  private standIn(text: string): string {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const standIn = `[hidden ${this.known.size + 1}]`;
    this.known.set(text, standIn);
    return standIn;
  }
}

export const readerOf = (isRevealed: boolean): ((event: RecordedEvent) => RecordedEvent) => {
  const pseudonyms = new Pseudonyms();
  return (event) => (isRevealed ? event : pseudonyms.hide(event));
};
