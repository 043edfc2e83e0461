import { getMetadataStorage } from 'class-validator';

/** A class whose decorators say what a body or a query is. */
export type DtoClass = new () => object;

export type PropertyMetadata = ReturnType<
  ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']
>[number];

/** What class-validator checks of a class if it is asked without groups, as the pipe does. */
export const propertyMetadata = (dto: DtoClass): readonly PropertyMetadata[] =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
