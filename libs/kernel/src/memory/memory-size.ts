const VALUE_BYTES = 16;
const OBJECT_BYTES = 40;
/** One such character makes each of its text take two bytes. In a text without one, V8 does not search for it. */
const TWO_BYTES = /[\u0100-\uffff]/;
/** A longer collection is estimated from a sample, because it may have thousands of members and is measured often. */
const MAX_MEASURED_MEMBERS = 512;
const SAMPLED_MEMBERS = 32;

/** The approximate size in memory of plain data, in bytes. The cost is bounded for large collections. */
export const memorySizeOf = (value: unknown): number => {
  if (typeof value === 'string') return VALUE_BYTES + (TWO_BYTES.test(value) ? 2 : 1) * value.length;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (Array.isArray(value)) return OBJECT_BYTES + sizeOfList(value);
  if (isCollection(value)) return OBJECT_BYTES + sizeOfCollection(value);
  if (ArrayBuffer.isView(value)) return OBJECT_BYTES + value.byteLength;
  let size = OBJECT_BYTES;
  for (const member in value) size += memorySizeOf((value as Record<string, unknown>)[member]);
  return size;
};

const sizeOfList = (list: readonly unknown[]): number => {
  const step = list.length > MAX_MEASURED_MEMBERS ? list.length / SAMPLED_MEMBERS : 1;
  let [size, measured] = [0, 0];
  for (let at = 0; at < list.length; at += step, measured++) size += memorySizeOf(list[Math.floor(at)]);
  return measured === 0 ? 0 : (size / measured) * list.length;
};

type Collection = Iterable<unknown> & { readonly size: number };

const isCollection = (value: object): value is Collection =>
  Symbol.iterator in value && 'size' in value && typeof value.size === 'number';

const sizeOfCollection = (collection: Collection): number => {
  let [size, measured] = [0, 0];
  const most = collection.size > MAX_MEASURED_MEMBERS ? SAMPLED_MEMBERS : MAX_MEASURED_MEMBERS;
  for (const member of collection) {
    if (measured === most) break;
    size += memorySizeOf(member);
    measured++;
  }
  return measured === 0 ? 0 : (size / measured) * collection.size;
};
