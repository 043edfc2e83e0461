import { expect, test } from '@jest/globals';
import { Type } from 'class-transformer';
import * as classValidator from 'class-validator';
import { DAY, EXAMPLES, type Example } from './class-validator.fixtures.js';
import { classWith, read } from './pipe.fixtures.js';
import { unsupportedDecorators } from './unsupported-decorators.js';

const { Allow, IsDefined, IsNumber, IsOptional, IsString, Length, MaxLength, MinLength } = classValidator;
const { Validate, ValidateIf, ValidateNested, ValidatePromise, ValidatorConstraint } = classValidator;

const accepts = async (dto: new () => object, value?: unknown) =>
  expect(await read(dto, { value })).toEqual({ instance: expect.any(dto) });
const refuses = async (dto: new () => object, value: unknown, field = 'value', message: unknown = expect.any(String)) =>
  expect(await read(dto, { value })).toEqual({ refused: [{ field, message }] });

class Named {
  @IsString()
  name!: string;
}

@ValidatorConstraint({ name: 'isKnown', async: true })
class IsKnown {
  async validate(value: unknown, { constraints }: classValidator.ValidationArguments): Promise<boolean> {
    return constraints.includes(value);
  }
}

@ValidatorConstraint()
class IsNine {
  validate(value: unknown): boolean {
    return value === 9;
  }
}

/** The decorators that do more, or less, than check one value. */
const OTHERS: Readonly<Record<string, () => Promise<void>>> = {
  Allow: async () => {
    await accepts(classWith(Allow()), 'anything');
  },
  IsDefined: async () => {
    await accepts(classWith(IsDefined()), 0);
    await refuses(classWith(IsDefined()), null);
    await refuses(classWith(IsDefined()), undefined);
  },
  IsOptional: async () => {
    const dto = classWith(IsOptional(), IsString());
    await accepts(dto);
    await accepts(dto, null);
    await refuses(dto, 1);
  },
  ValidateIf: async () => {
    const dto = classWith(
      ValidateIf((_, value) => value !== 'skip'),
      ValidateIf(({ value }) => value !== 'leave'),
      IsNumber(),
    );
    await accepts(dto, 'skip');
    await accepts(dto, 'leave');
    await refuses(dto, 'check');
  },
  ValidateNested: async () => {
    const dto = classWith(
      ValidateNested({ message: 'must be a name' }),
      Type(() => Named),
    );
    await accepts(dto, { name: 'a' });
    await accepts(dto, [{ name: 'a' }, { name: 'b' }]);
    await refuses(dto, {}, 'value.name');
    await refuses(dto, [{ name: 'a' }, { name: 1 }], 'value.1.name');
    await refuses(dto, { name: 'a', age: 1 }, 'value.age', 'is not known');
    for (const value of ['a', null]) await refuses(dto, value, 'value', 'must be a name');
  },
  Validate: async () => {
    await accepts(classWith(Validate(IsNine)), 9);
    await refuses(classWith(Validate(IsNine, { message: 'must be 9' })), 8, 'value', 'must be 9');
  },
  ValidatorConstraint: async () => {
    const dto = classWith(Validate(IsKnown, ['a'], { each: true, message: 'is unknown' }), IsString({ each: true }));
    await accepts(dto, 'a');
    await accepts(dto, ['a', 'a']);
    await refuses(dto, ['a', 'b'], 'value', 'is unknown');
  },
};

/** The decorators that the service refuses to start with. */
const UNSUPPORTED: Readonly<Record<string, PropertyDecorator>> = {
  Length: Length(1, 2),
  MinLength: MinLength(1),
  MaxLength: MaxLength(2),
  ValidatePromise: ValidatePromise(),
};

const NO_DECORATORS = ['MetadataStorage', 'ValidationError', 'ValidationTypes', 'Validator'];

test('each decorator that class-validator exports is tried here', () => {
  const exported = Object.keys(classValidator).filter((name) => /^[A-Z][^_]*[a-z]/.test(name));
  const tried = [EXAMPLES, OTHERS, UNSUPPORTED].flatMap(Object.keys);
  expect([...tried, ...NO_DECORATORS].toSorted()).toEqual(exported.toSorted());
});

test.each(Object.entries(UNSUPPORTED))('@%s() is refused, with class and property', (name, decorator) => {
  class Body {}
  decorator(Body.prototype, 'title');
  expect(unsupportedDecorators(Body)).toEqual([expect.stringContaining(`Body.title: @${name}() `)]);
});

test.each(Object.entries(OTHERS))('@%s() does what is documented', (_, tryOut) => tryOut());

const dtoOf = ({ decorate, type }: Example, options?: classValidator.ValidationOptions) =>
  classWith(decorate(options), ...(type === undefined ? [] : [Type(() => type)]));

test.each(Object.entries(EXAMPLES))('@%s() accepts and refuses what is documented', async (_, example) => {
  const dto = dtoOf(example);
  expect(unsupportedDecorators(dto)).toEqual([]);
  const { accepted, refused, type } = example;
  expect(await read(dto, { value: accepted })).toEqual({
    instance: { value: type === Date ? new Date(DAY) : accepted },
  });
  await refuses(dto, refused, 'value', expect.stringContaining('value'));
});

test.each(Object.entries(EXAMPLES))('@%s() follows the options each, message and validateIf', async (_, example) => {
  const { accepted, refused } = example;
  const each = dtoOf(example, { each: true, message: 'no $property' });
  await accepts(each, [accepted, accepted]);
  await refuses(each, [accepted, refused], 'value', 'no value');
  await accepts(dtoOf(example, { validateIf: () => false }), refused);
  await refuses(
    dtoOf(example, { validateIf: () => true, message: ({ property }) => `no ${property}` }),
    refused,
    'value',
    'no value',
  );
});

test.each(Object.entries(EXAMPLES))('@%s() applies in any group, always, and with a context', async (_, example) => {
  for (const options of [{ groups: ['a'] }, { groups: ['a'], always: true }, { context: { code: 1 } }]) {
    await accepts(dtoOf(example, options), example.accepted);
    await refuses(dtoOf(example, options), example.refused);
  }
});
