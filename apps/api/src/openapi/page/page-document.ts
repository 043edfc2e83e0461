import type { OpenAPIObject } from '@nestjs/swagger';
import type { Tag } from '../../http/transport/tags.js';
import { webhooks } from '../webhooks.js';
import { codeSamples, type SampledOperation } from './code-samples.js';
import { guides } from './guides.js';

/** What the page shows: the document with guides and code samples, which generators of clients have no use for. */
export const pageDocument = (document: OpenAPIObject, url: string): OpenAPIObject => {
  const paths = Object.entries(document.paths).map(([path, operations]) => [path, withSamples(path, operations)]);
  const description = `${document.info.description}\n\n${guides(url)}`;
  const shown: object = {
    info: { ...document.info, description },
    paths: Object.fromEntries(paths),
    webhooks: ofEvents(),
  };
  return { ...document, ...shown };
};

/** Where a reader looks for them. */
const ofEvents = () =>
  Object.fromEntries(
    Object.entries(webhooks()).map(([type, { post }]) => [
      type,
      { post: { ...post, tags: ['Events'] satisfies Tag[] } },
    ]),
  );

const withSamples = (path: string, operations: object) =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]: [string, SampledOperation]) => [
      method,
      { ...operation, 'x-codeSamples': codeSamples(method, path, operation) },
    ]),
  );
