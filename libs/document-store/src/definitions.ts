import type { CollectionDefinition, IndexDefinition } from '#kernel/ports';

const NAME = /^(?!sqlite_)[a-z][a-z0-9_]{0,62}$/i;

/** Refuses a name that one of the stores would have to change. */
export const validName = (name: string): string => {
  if (!NAME.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a valid name of a collection, an index or a field`);
  return name;
};

/** The fields of all indexes, also of those that are created later, each once. The id is always there. */
export const indexedFields = ({ indexes, later = [] }: CollectionDefinition): string[] =>
  [...new Set([...indexes, ...later].flatMap(({ fields }) => fields))].filter((field) => field !== 'id');

export const mergedDefinition = (
  there: CollectionDefinition | undefined,
  wanted: CollectionDefinition,
): CollectionDefinition => {
  const name = validName(wanted.name);
  for (const index of [...wanted.indexes, ...(wanted.later ?? [])]) {
    validName(index.name);
    index.fields.forEach(validName);
  }
  const missing = wanted.indexes.filter((index) => {
    const known = there?.indexes.find((other) => other.name === index.name);
    const expected = known ?? there?.later?.find((other) => other.name === index.name) ?? index;
    if (!isSame(expected, index)) {
      throw new Error(`index ${index.name} of ${name} has another definition; give the new definition another name`);
    }
    return known === undefined;
  });
  if (there !== undefined && missing.length === 0) return there;
  const { later = [] } = there ?? wanted;
  const still = later.filter((index) => !missing.some((other) => other.name === index.name));
  return { name, indexes: [...(there?.indexes ?? []), ...missing], ...(still.length > 0 && { later: still }) };
};

const isSame = (one: IndexDefinition, other: IndexDefinition): boolean =>
  one.fields.join() === other.fields.join() && (one.unique ?? false) === (other.unique ?? false);
