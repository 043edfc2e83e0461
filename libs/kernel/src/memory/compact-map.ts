import { Map as PersistentMap } from 'immutable';

/**
 * A persistent map of short ASCII texts without tabs and line feeds. An entry takes its characters and little more, because
 * all entries whose keys end alike are one text; in a map of objects it takes several hundred bytes.
 */
export class CompactMap<Key extends string, Value extends string> {
  private constructor(
    private readonly buckets: PersistentMap<string, string>,
    readonly size: number,
  ) {}

  static empty<Key extends string, Value extends string>(): CompactMap<Key, Value> {
    return new CompactMap(PersistentMap(), 0);
  }

  get(key: Key): Value | undefined {
    const bucket = this.bucketOf(key);
    const [from, to] = rangeIn(bucket, key);
    return from < 0 ? undefined : (bucket.slice(from, to) as Value);
  }

  has(key: Key): boolean {
    return rangeIn(this.bucketOf(key), key)[0] >= 0;
  }

  set(key: Key, value: Value): CompactMap<Key, Value> {
    const bucket = this.bucketOf(key);
    const [from, to] = rangeIn(bucket, key);
    const changed =
      from < 0 ? `${bucket || '\n'}${key}\t${value}\n` : flat(`${bucket.slice(0, from)}${value}${bucket.slice(to)}`);
    return new CompactMap(this.buckets.set(suffixOf(key), changed), this.size + Number(from < 0));
  }

  without(value: Value): CompactMap<Key, Value> {
    let size = this.size;
    const buckets = this.buckets.map((bucket) => {
      if (!bucket.includes(`\t${value}\n`)) return bucket;
      const lines = bucket.split('\n');
      const kept = lines.filter((line) => !line.endsWith(`\t${value}`));
      size -= lines.length - kept.length;
      return kept.join('\n');
    });
    return new CompactMap(
      buckets.filter((bucket) => bucket !== '\n'),
      size,
    );
  }

  *entries(): Generator<[Key, Value]> {
    for (const bucket of this.buckets.values())
      for (const line of bucket.split('\n').filter(Boolean)) yield line.split('\t') as [Key, Value];
  }

  /** Each entry is a line; the first one has a line feed before it too. */
  private bucketOf(key: Key): string {
    return this.buckets.get(suffixOf(key)) ?? '';
  }
}

const suffixOf = (key: string): string => key.slice(-2);

/** Where the value begins and ends; -1 without an entry. */
const rangeIn = (bucket: string, key: string): [number, number] => {
  const at = bucket.indexOf(`\n${key}\t`);
  if (at < 0) return [-1, -1];
  const from = at + key.length + 2;
  return [from, bucket.indexOf('\n', from)];
};

/** A copy: otherwise V8 would keep the text of which the parts were joined in memory. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
