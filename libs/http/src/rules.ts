import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy, ValidateIf } from 'class-validator';
import {
  aliasProblem,
  MAX_ALIAS_LENGTH,
  MAX_ALIASES_PER_REQUEST,
  MAX_EMAIL_LENGTH,
  MAX_PROFILE_URL_LENGTH,
  MAX_PROFILE_URLS_PER_REQUEST,
  PROFILE_URL_PATTERN,
} from '#creators';
import { parseUserId, textProblem } from '#kernel';
import type { ListContext } from './dto.pipe.js';
import { emailProblem } from './email-problem.js';
import { type JsonSchema, TEXT_PATTERN } from './json-schema.js';
import { profileUrlProblem } from './profile-url-problem.js';

const MAX_CURSOR_LENGTH = 200;
const AFTER = 'Where the page begins: the `next_cursor` of the previous page. Opaque.';

type Check = (value: unknown) => string | undefined;

/** A DTO field's rule. It calls the rule of the domain, and adds its schema to the OpenAPI document. */
export const rule = (schema: JsonSchema, check: Check, context?: ListContext): PropertyDecorator =>
  applyDecorators(
    ApiProperty(schema as object),
    ValidateBy(
      {
        name: 'rule',
        validator: {
          validate: (value) => value !== undefined && check(value) === undefined,
          defaultMessage: (args) => (args?.value === undefined ? 'is required' : (check(args.value) ?? 'is not valid')),
        },
      },
      { context },
    ),
  );

export const asText =
  (check: (text: string) => string | undefined): Check =>
  (value) =>
    typeof value === 'string' ? check(value) : 'must be a string';

/** Optional; null is not the same as missing (D7). */
export const Optional = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional(),
    ValidateIf((_, value) => value !== undefined),
  );

export const Described = (description: string): PropertyDecorator => ApiProperty({ description });

export const Text = (maxLength: number) =>
  rule(
    { type: 'string', minLength: 1, maxLength, pattern: TEXT_PATTERN },
    asText((text) => textProblem(text, maxLength)),
  );

export const Email = () => rule({ type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH }, asText(emailProblem));

export const UserIdText = () =>
  rule(
    { type: 'string', format: 'uuid' },
    asText((text) => (parseUserId(text) === undefined ? 'must be a UUID' : undefined)),
  );

export const OneOf = (...values: readonly string[]) =>
  rule(
    { type: 'string', enum: values },
    asText((text) => (values.includes(text) ? undefined : `must be one of ${values.join(', ')}`)),
  );

/** A list of at most `most` items, each of which passes the check. */
const list = (items: JsonSchema, most: number, check: Check) => {
  const whole = (value: unknown): string | undefined => {
    if (!Array.isArray(value)) return 'must be an array';
    return value.length > most ? `must contain at most ${most} items` : undefined;
  };
  // A list that is too long has one error, not one for each item.
  const itemErrors = (value: unknown) =>
    Array.isArray(value) && value.length <= most
      ? value.map((item, index) => ({ index, message: check(item) ?? '' })).filter(({ message }) => message !== '')
      : [];
  const first = (value: unknown) => (value as readonly unknown[]).map(check).find((problem) => problem !== undefined);
  const schema = { type: 'array', items, maxItems: most };
  return rule(schema, (value) => whole(value) ?? first(value), { itemErrors });
};

export const Aliases = () =>
  list(
    { type: 'string', minLength: 1, maxLength: MAX_ALIAS_LENGTH, pattern: TEXT_PATTERN },
    MAX_ALIASES_PER_REQUEST,
    asText(aliasProblem),
  );

export const ProfileUrls = () =>
  list(
    { type: 'string', format: 'uri', maxLength: MAX_PROFILE_URL_LENGTH, pattern: PROFILE_URL_PATTERN },
    MAX_PROFILE_URLS_PER_REQUEST,
    asText(profileUrlProblem),
  );

/** D7: a page size that is out of range, or not a whole number, is refused. */
export const PageSize = (most: number, defaultValue: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }) => (isWholeNumber(value) ? Number(value) : value), { toClassOnly: true }),
    rule(
      {
        type: 'integer',
        minimum: 1,
        maximum: most,
        default: defaultValue,
        example: defaultValue,
        description: 'Items of a page.',
      },
      (value) => (typeof value === 'number' && value <= most ? undefined : `must be a whole number from 1 to ${most}`),
    ),
  );

/** Refuses signs, leading zeros and exponents, which `Number` would accept. */
const isWholeNumber = (value: unknown): boolean => typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value);

export const Cursor = (maxLength = MAX_CURSOR_LENGTH) =>
  rule(
    { type: 'string', minLength: 1, maxLength, description: AFTER },
    asText((text) => textProblem(text, maxLength)),
  );
