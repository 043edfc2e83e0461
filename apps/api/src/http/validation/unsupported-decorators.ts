import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { type DtoClass, type PropertyMetadata, propertyMetadata } from './dto-class.js';

/**
 * Decorators of a class, and of its nested classes, that would not do what class-validator documents, or what this API
 * promises (D7). Each line names class, property and decorator, and the reason.
 */
export const unsupportedDecorators = (dto: DtoClass): readonly string[] =>
  [...reachableClasses(dto)].flatMap((reachable) => [
    ...propertyMetadata(reachable).flatMap((metadata) => {
      const reason = reasonAgainst(reachable, metadata);
      return reason === undefined ? [] : [describe(reachable, metadata, reason)];
    }),
    ...overriddenMetadata(reachable).map((metadata) =>
      describe(reachable, metadata, 'is dropped by class-validator, because the class decorates the property again'),
    ),
  ]);

const reachableClasses = (dto: DtoClass, found = new Set<DtoClass>()): ReadonlySet<DtoClass> => {
  if (found.has(dto)) return found;
  found.add(dto);
  for (const { type, propertyName } of propertyMetadata(dto)) {
    if (type !== ValidationTypes.NESTED_VALIDATION) continue;
    for (const nested of nestedClasses(dto, propertyName)) reachableClasses(nested, found);
  }
  return found;
};

const nestedClasses = (dto: DtoClass, property: string): readonly DtoClass[] => {
  const type = defaultMetadataStorage.findTypeMetadata(dto, property);
  if (type === undefined) return [];
  const declared = type.typeFunction?.({ newObject: {}, object: {}, property }) ?? [];
  const alternatives = type.options?.discriminator?.subTypes.map(({ value }) => value) ?? [];
  return [declared, ...alternatives].flat() as DtoClass[];
};

const LENGTHS: readonly unknown[] = ['minLength', 'maxLength', 'isLength'];

const reasonAgainst = (dto: DtoClass, metadata: PropertyMetadata): string | undefined => {
  const { type, name, propertyName, constraintCls, validateIf } = metadata;
  const isCustom = type === ValidationTypes.CUSTOM_VALIDATION || type === ValidationTypes.IS_DEFINED;
  if (propertyName in Object.prototype) return 'is on a property that every object inherits';
  if (validateIf !== undefined && !isCustom) return 'ignores the option validateIf; use @ValidateIf()';
  if (type === ValidationTypes.PROMISE_VALIDATION) return 'awaits a promise, which JSON cannot hold';
  if (type === ValidationTypes.NESTED_VALIDATION && nestedClasses(dto, propertyName).length === 0) {
    return 'needs @Type(), which says the class of the nested object';
  }
  if (isCustom && LENGTHS.includes(name)) return 'does not count code points (D7); use @Text()';
  if (isCustom && getMetadataStorage().getTargetValidatorConstraints(constraintCls).length === 0) {
    return 'names a class without @ValidatorConstraint(), and would check nothing';
  }
  return undefined;
};

/** Decorators of a base class that class-validator drops, because it keeps those of one class for each type. */
const overriddenMetadata = (dto: DtoClass): readonly PropertyMetadata[] => {
  const base: DtoClass = Object.getPrototypeOf(dto);
  const kept = propertyMetadata(dto);
  return propertyMetadata(base).filter((inherited) => !kept.includes(inherited));
};

const describe = ({ name }: DtoClass, metadata: PropertyMetadata, reason: string): string =>
  `${name}.${metadata.propertyName}: ${decoratorName(metadata)} ${reason}`;

const decoratorName = ({ type, name, constraintCls }: PropertyMetadata): string => {
  if (type === ValidationTypes.NESTED_VALIDATION) return '@ValidateNested()';
  if (type === ValidationTypes.PROMISE_VALIDATION) return '@ValidatePromise()';
  if (type === ValidationTypes.WHITELIST) return '@Allow()';
  if (type === ValidationTypes.CONDITIONAL_VALIDATION && name === undefined) return '@ValidateIf()';
  if (name === undefined) return `@Validate(${constraintCls.name})`;
  if (name === 'isLength') return '@Length()';
  return `@${name.charAt(0).toUpperCase()}${name.slice(1)}()`;
};
