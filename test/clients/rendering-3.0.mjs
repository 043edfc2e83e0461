// Writes the document as OpenAPI 3.0, for generators that read nothing newer: `node rendering-3.0.mjs <document> <file>`.
import { readFileSync, writeFileSync } from 'node:fs';

const [source, file] = process.argv.slice(2);

/** A nullable value has two types in 3.1, and a flag in 3.0. */
const rendered = (value) => {
  if (Array.isArray(value)) return value.map(rendered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rendered(member)]));
  if (!Array.isArray(members.type)) return members;
  return { ...members, type: members.type.find((type) => type !== 'null'), nullable: true };
};

const { webhooks, ...document } = JSON.parse(readFileSync(source, 'utf8'));
const { identifier, ...license } = document.info.license;
/** Only webhooks refer to them. */
const ofWebhooks = Object.values(webhooks).map(({ post }) =>
  post.requestBody.content['application/json'].schema.$ref.split('/').at(-1),
);
const schemas = Object.entries(document.components.schemas).filter(([name]) => !ofWebhooks.includes(name));
writeFileSync(
  file,
  JSON.stringify(
    rendered({
      ...document,
      openapi: '3.0.3',
      info: { ...document.info, license },
      components: { ...document.components, schemas: Object.fromEntries(schemas) },
    }),
  ),
);
