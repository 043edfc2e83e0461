import { plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  type ValidationArguments,
  ValidationTypes,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { type DtoClass, type PropertyMetadata, propertyMetadata } from './dto-class.js';

/** The instance of a valid input, or undefined if class-validator has to decide. */
export type FastPath = (input: unknown) => object | undefined;

type Check = (object: Instance, value: unknown) => boolean;
type Instance = Readonly<Record<string, unknown>>;

/**
 * Compiles the decorators of a class into a check for the common case, a valid input. It returns an instance only if
 * class-validator would accept it, and never refuses: all other inputs, and classes with nested, awaited or
 * asynchronous decorators, are left to class-validator.
 */
export const compileFastPath = (dto: DtoClass): FastPath => {
  const properties = new Map<string, Check>();
  for (const [name, metadata] of Map.groupBy(propertyMetadata(dto), ({ propertyName }) => propertyName)) {
    if (!metadata.every(isCompilable)) return () => undefined;
    properties.set(name, propertyCheck(metadata));
  }
  const checks = [...properties];
  return (input) => {
    const instance = plainToInstance(dto, input) as Instance;
    for (const name of Object.keys(instance)) if (!properties.has(name)) return undefined;
    for (const [name, check] of checks) if (!check(instance, instance[name])) return undefined;
    return instance;
  };
};

const SYNCHRONOUS = [ValidationTypes.CUSTOM_VALIDATION, ValidationTypes.IS_DEFINED];
const COMPILABLE = [...SYNCHRONOUS, ValidationTypes.CONDITIONAL_VALIDATION, ValidationTypes.WHITELIST];

const isCompilable = ({ type, constraintCls }: PropertyMetadata): boolean =>
  COMPILABLE.includes(type) && constraintsOf(constraintCls).every(({ async: isAsync }) => !isAsync);

const constraintsOf = (constraintClass: PropertyMetadata['constraintCls']) =>
  getMetadataStorage().getTargetValidatorConstraints(constraintClass);

const propertyCheck = (metadata: readonly PropertyMetadata[]): Check => {
  const conditions = metadata
    .filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION)
    .map(({ constraints }): Check => constraints[0]);
  const rules = metadata
    .filter(({ type }) => SYNCHRONOUS.includes(type))
    .flatMap((one) => constraintsOf(one.constraintCls).map(({ instance }) => ruleCheck(one, instance)));
  return (object, value) =>
    !conditions.every((applies) => applies(object, value)) || rules.every((rule) => rule(object, value));
};

const ruleCheck = (metadata: PropertyMetadata, constraint: ValidatorConstraintInterface): Check => {
  const { each: isForEachItem, validateIf: applies, constraints, propertyName: property, target } = metadata;
  const targetName = typeof target === 'string' ? target : target.name;
  return (object, value) => {
    if (applies !== undefined && !applies(object, value)) return true;
    const args: ValidationArguments = { targetName, property, object, value, constraints };
    // A promise is not true: class-validator decides about a constraint that returns one undeclared.
    if (!isForEachItem) return constraint.validate(value, args) === true;
    if (value instanceof Set || value instanceof Map) return false;
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.every((item) => constraint.validate(item, args) === true);
  };
};
