import { getMetadataStorage } from 'class-validator';

/** A class whose decorators describe a body or a query. */
export type DtoClass = new () => object;

export type PropertyMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** What class-validator checks of a class without groups, as the pipe does. */
export const propertyMetadata = (dto: DtoClass): readonly PropertyMetadata[] =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
