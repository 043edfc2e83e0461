import { type Branded, DomainError, type IdKind, parseId } from '#kernel';

/** D9: a malformed id, or one of another kind, is not found. */
export const idParam = <Kind extends IdKind>(kind: Kind, text: string): Branded<Kind> => {
  const id = parseId(kind, text);
  if (id === undefined) throw new DomainError('not_found');
  return id;
};
