#!/usr/bin/env node
// Reads an OpenAPI document from standard input; writes the types of its schemas, as libs/client/src/generated has them,
// into the given folder. `WRITE_CLIENT_TYPES=1 npx jest test/client-package/types` takes the document of the sources.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createClient } from '@hey-api/openapi-ts';

/** A set that may grow: its known values, for completion in an editor, or any text. */
const openSet = ({ schema, $ }) => {
  const known = schema['x-extensible-enum'];
  if (known === undefined) return undefined;
  return $.type.or(...known.map((value) => $.type.literal(value)), $.type.and('string', $.type.object()));
};

/** `[string, null]` as two schemas, because the generator forgets the extensions of a type that is a list. */
const withNullsApart = (value) => {
  if (Array.isArray(value)) return value.map(withNullsApart);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNullsApart(member)]));
  const { type, description, ...rest } = schema;
  if (!Array.isArray(type) || rest['x-extensible-enum'] === undefined) return schema;
  return { description, anyOf: type.map((each) => (each === 'null' ? { type: each } : { type: each, ...rest })) };
};

const document = await json(process.stdin);

await createClient({
  // Of the operations, the client has methods; only schemas become types.
  input: withNullsApart({ ...document, paths: {}, webhooks: {}, components: { schemas: document.components.schemas } }),
  output: {
    path: process.argv[2],
    entryFile: false,
    header: ['// Made by scripts/client-types.mjs from the OpenAPI document.'],
  },
  plugins: [{ name: '@hey-api/typescript', enums: false, $resolvers: { string: openSet } }],
  logs: { level: 'silent' },
});

// A comment of one line as one line.
const file = join(process.argv[2], 'types.gen.ts');
writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */'));
