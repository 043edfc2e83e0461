import { expect, test } from '@jest/globals';
import { IsObject } from 'class-validator';
import { UnreadableBody } from './json-text.js';
import { PageQuery } from './page.query.js';
import { pipe, read } from './pipe.fixtures.js';
import { OneOf, Optional, Text } from './rules.js';

class Link {
  @Text(5)
  url!: string;
}

class Body {
  @Text(3)
  name!: string;

  @Optional()
  @OneOf('en', 'fr')
  locale?: string;

  @Optional()
  @IsObject()
  labels?: object;
}

test('a valid input becomes an instance', async () => {
  const input = { name: 'Ivy', labels: { a: { b: 1 } } };
  const outcome = await read(Body, input);
  expect(outcome).toEqual({ instance: input });
  expect(outcome).toEqual({ instance: expect.any(Body) });
});

test('unknown fields come first, then one line for each field, in the order of the class (D7)', async () => {
  expect(await read(Body, { locale: null, surname: 'x', age: 1 })).toEqual({
    refused: [
      { field: 'surname', message: 'is not known' },
      { field: 'age', message: 'is not known' },
      { field: 'name', message: 'is required' },
      { field: 'locale', message: 'must be a string' },
    ],
  });
});

test('an unknown field is refused where all others are right', async () => {
  expect(await read(Link, { url: 'a', title: 'b' })).toEqual({
    refused: [{ field: 'title', message: 'is not known' }],
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'an unknown field %s is refused, nested too, though every object has a member of that name',
  async (field) => {
    const parsed = (text: string) => pipe.transform(JSON.parse(text), { type: 'body', metatype: Body });
    await expect(parsed(`{"name":"Ivy","${field}":{}}`)).rejects.toMatchObject({
      fields: [{ field, message: 'is not known' }],
    });
    await expect(parsed(`{"name":"Ivy","labels":{"a":[{"${field}":1}]}}`)).rejects.toMatchObject({
      fields: [{ field: 'labels', message: `must not contain a field ${field}` }],
    });
  },
);

test('the problems of all stages come together, one for each field (D98)', async () => {
  const input = JSON.parse('{"constructor":1,"name":{"toString":1},"surname":"x","locale":"de"}');
  await expect(pipe.transform(input, { type: 'body', metatype: Body })).rejects.toMatchObject({
    fields: [
      { field: 'constructor', message: 'is not known' },
      { field: 'name', message: 'must not contain a field toString' },
      { field: 'surname', message: 'is not known' },
      { field: 'locale', message: 'must be one of en, fr' },
    ],
  });
});

test('what is nested deeper than the stack is refused like any other input', async () => {
  const labels = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;
  await expect(
    pipe.transform(JSON.parse(`{"name":"Ivy","labels":${labels}}`), { type: 'body', metatype: Body }),
  ).rejects.toMatchObject({ fields: [{ field: 'labels', message: 'must not be nested deeper than 32 levels' }] });
});

test.each([[null], [[]], ['text'], [1]])('%j is no body', async (input) => {
  expect(await read(Body, input)).toEqual({ refused: [{ field: 'body', message: 'must be a JSON object' }] });
});

test('a body that could not be parsed is refused with the reason', async () => {
  const unreadable = new UnreadableBody('must be valid JSON in UTF-8');
  await expect(pipe.transform(unreadable, { type: 'body', metatype: Body })).rejects.toMatchObject({
    fields: [{ field: 'body', message: 'must be valid JSON in UTF-8' }],
  });
});

test('lengths count code points, variation selectors and surrogate pairs too (D7)', async () => {
  expect(await read(Body, { name: '😀😀😀' })).toMatchObject({ instance: {} });
  expect(await read(Body, { name: '❤\ufe0f❤\ufe0f' })).toMatchObject({ refused: [{ field: 'name' }] });
});

test.each(['1', '100'])('a page size of %s is a number', async (limit) => {
  expect(await read(PageQuery, { limit }, 'query')).toEqual({ instance: { limit: Number(limit) } });
});

test.each(['0', '101', '1e1', '05', ' 5', '', ['5', '5']])(
  'a page size of %j is refused, never clamped (D7)',
  async (limit) => {
    const message = 'must be a whole number from 1 to 100';
    expect(await read(PageQuery, { limit }, 'query')).toEqual({ refused: [{ field: 'limit', message }] });
  },
);
