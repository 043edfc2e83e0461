export interface Cache<Key extends string, Value> {
  get(key: Key): Value | undefined;
  /** The value, without counting as a use of the entry. */
  peek(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  clear(): void;
}

/** The parts of a cache whose entries evict only those of the same part. */
export interface Parts<Value, Part extends string> {
  readonly bytes: Readonly<Record<Part, number>>;
  /** `size` is that of the entry with its key. */
  partOf(value: Value, size: number): Part;
  readonly sizeOf: (value: Value) => number;
}

const LARGE = 16 * 1024;

/** A hundred large entries take as much as ten thousand usual ones, and one agency may have them. */
export const partBySize = (size: number): 'usual' | 'large' => (size > LARGE ? 'large' : 'usual');
