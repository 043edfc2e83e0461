import { invalidRequest } from './errors.js';
import { type Branded, ID_PREFIXES, type IdKind, parseId } from './ids.js';

/** A filter by an id; another kind's id, or no id, is refused. */
export const idFilter = <Kind extends IdKind>(
  field: string,
  kind: Kind,
  text: string | undefined,
): Branded<Kind> | undefined => {
  if (text === undefined) return undefined;
  const id = parseId(kind, text);
  if (id === undefined) throw invalidRequest({ field, message: `must be an id such as ${ID_PREFIXES[kind]}_…` });
  return id;
};
