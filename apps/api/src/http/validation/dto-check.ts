import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { FieldError } from '#kernel';

type DtoClass = new () => object;

/** All that is wrong with a value that is to be of a DTO's shape; nothing for one that is. */
export type DtoCheck = (value: unknown) => FieldError[];

interface PropertyCheck {
  readonly applies: (object: object, value: unknown) => boolean;
  readonly problem: (object: object, value: unknown) => string | undefined;
}

const compiled = new Map<DtoClass, DtoCheck>();

/**
 * The check that a DTO's class-validator decorators amount to, made once for each class: walking the metadata anew for
 * each request costs more than everything else that a request does.
 */
export const dtoCheck = (dto: DtoClass): DtoCheck => {
  const known = compiled.get(dto);
  if (known !== undefined) return known;
  const check = compile(dto);
  compiled.set(dto, check);
  return check;
};

const compile = (dto: DtoClass): DtoCheck => {
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(dto, '', false, false);
  const properties = new Map<string, PropertyCheck>();
  for (const [name, entries] of Object.entries(storage.groupByPropertyName(metadata))) {
    const conditions = entries.filter(({ type }) => type === 'conditionalValidation');
    const rules = entries
      .filter(({ type }) => type === 'customValidation')
      .flatMap(({ constraintCls }) => storage.getTargetValidatorConstraints(constraintCls))
      .map(({ instance }) => instance);
    properties.set(name, {
      applies: (object, value) => conditions.every(({ constraints }) => constraints[0](object, value)),
      problem: (object, value) => {
        const args: ValidationArguments = { value, object, targetName: dto.name, property: name, constraints: [] };
        const broken = rules.find((candidate) => !candidate.validate(value, args));
        return broken?.defaultMessage?.(args);
      },
    });
  }
  return (value) => (isPlainObject(value) ? problems(properties, value) : [NOT_AN_OBJECT]);
};

const NOT_AN_OBJECT: FieldError = { field: 'body', message: 'must be a JSON object' };

const problems = (properties: ReadonlyMap<string, PropertyCheck>, object: Record<string, unknown>): FieldError[] => {
  const found: FieldError[] = [];
  for (const field of Object.keys(object)) {
    if (!properties.has(field)) found.push({ field, message: 'is not known' });
  }
  for (const [field, { applies, problem }] of properties) {
    const value = Object.hasOwn(object, field) ? object[field] : undefined;
    if (!applies(object, value)) continue;
    const message = value === undefined ? 'is required' : problem(object, value);
    if (message !== undefined) found.push({ field, message });
  }
  return found;
};

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
