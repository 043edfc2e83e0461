import { ALL_PROJECTIONS } from '#contexts';
import { invalidRequest, type Projection } from '#kernel';

/** The read models of these names; all where none is named. */
export const projectionsNamed = (names: readonly string[]): readonly Projection[] => {
  const unknown = names.filter((name) => !ALL_PROJECTIONS.some((projection) => projection.name === name));
  if (unknown.length > 0) {
    const known = ALL_PROJECTIONS.map(({ name }) => name).join(', ');
    throw invalidRequest({ field: unknown.join(', '), message: `must be of ${known}` });
  }
  return names.length === 0 ? ALL_PROJECTIONS : ALL_PROJECTIONS.filter(({ name }) => names.includes(name));
};
