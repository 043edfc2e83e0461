import { invalidRequest, type Projection } from '#kernel';

export class ProjectionCatalogue {
  constructor(readonly all: readonly Projection[]) {}

  /** The read models with these names; all without names. */
  select(names: readonly string[]): readonly Projection[] {
    const unknown = names.filter((name) => !this.all.some((projection) => projection.name === name));
    if (unknown.length > 0) {
      const known = this.all.map(({ name }) => name).join(', ');
      throw invalidRequest({ field: unknown.join(', '), message: `must be of ${known}` });
    }
    return names.length === 0 ? this.all : this.all.filter(({ name }) => names.includes(name));
  }
}
