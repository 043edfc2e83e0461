import type { IncomingMessage } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Parameter } from '../../apps/platform-sandbox/src/contract/document.js';
import { contract, type Operation } from './contract.js';

/** Reads a request as the contract allows it, and names the breach where it does not. */
export interface Call {
  path: Record<string, string>;
  query: Record<string, string>;
  key: string | undefined;
  fence: number;
  body: unknown;
}

export class Breach extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Headers that HTTP itself needs. The contract mentions no other headers. */
const PLAIN_HEADERS = new Set(
  'host connection keep-alive user-agent accept accept-language accept-encoding sec-fetch-mode authorization'.split(
    ' ',
  ),
);
const BODY_HEADERS = new Set(['content-type', 'content-length', 'transfer-encoding']);
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

export function route(method: string, path: string): Operation {
  const segments = path.split('/').slice(1);
  const here = contract.filter(
    (operation) =>
      operation.segments.length === segments.length &&
      operation.segments.every((segment, at) => segment.startsWith('{') || segment === segments[at]),
  );
  if (here.length === 0) throw new Breach(404, `no such path: ${path}`);
  const operation = here.find((candidate) => candidate.method === method);
  if (!operation) throw new Breach(405, `${method} is not an operation of ${path}`);
  return operation;
}

export function readCall(operation: Operation, request: IncomingMessage, url: URL, path: string, raw: Buffer): Call {
  checkHeaders(operation, request, raw);
  const pieces = path.split('/').slice(1);
  const inPath = (name: string) => decoded(pieces[operation.segments.indexOf(`{${name}}`)] ?? '');
  const values = (location: Parameter['in'], given: (name: string) => string[]) =>
    Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === location)
        .flatMap((parameter) => {
          const value = only(parameter, given(parameter.name));
          return value === undefined ? [] : [[parameter.name, value]];
        }),
    );
  const headers = values('header', (name) => request.headersDistinct[name.toLowerCase()] ?? []);
  const key = headers['Idempotency-Key'];
  const body = readBody(operation, request, raw);
  if (operation.body?.hasReference && (body as { reference: string }).reference !== key) {
    throw new Breach(400, 'the reference is not the Idempotency-Key');
  }
  for (const name of url.searchParams.keys()) {
    if (!operation.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name))
      throw new Breach(400, `the query has no ${name}`);
  }
  return {
    path: values('path', (name) => [inPath(name)]),
    query: values('query', (name) => url.searchParams.getAll(name)),
    key,
    fence: Number(headers.Fence),
    body,
  };
}

function only({ name, required, schema, check }: Operation['parameters'][number], given: string[]) {
  const [text, ...more] = given;
  if (more.length > 0) throw new Breach(400, `${name} twice`);
  if (text === undefined && required) throw new Breach(400, `no ${name}`);
  if (text === undefined) return undefined;
  const isInteger = schema.type === 'integer';
  if (isInteger && !/^-?(0|[1-9]\d*)$/.test(text)) throw new Breach(400, `${name} is not an integer`);
  must(check, isInteger ? Number(text) : text, name);
  return text;
}

function checkHeaders(operation: Operation, request: IncomingMessage, raw: Buffer): void {
  const accept = request.headers.accept;
  if (accept && !/application\/json|application\/\*|\*\/\*/i.test(accept)) throw new Breach(406, `accepts ${accept}`);
  for (const name of Object.keys(request.headersDistinct)) {
    const isNamed = operation.parameters.some((one) => one.in === 'header' && one.name.toLowerCase() === name);
    const isKnown = PLAIN_HEADERS.has(name) || BODY_HEADERS.has(name) || isNamed;
    if (!isKnown) throw new Breach(400, `the header ${name} has no meaning here`);
    if ((request.headersDistinct[name]?.length ?? 0) > 1) throw new Breach(400, `the header ${name} twice`);
  }
  if (!operation.body && (raw.length > 0 || request.headers['content-type'])) {
    throw new Breach(400, 'a body, or its type, where the contract has none');
  }
}

function readBody(operation: Operation, request: IncomingMessage, raw: Buffer): unknown {
  if (!operation.body) return undefined;
  const type = request.headers['content-type'] ?? 'nothing';
  if (!JSON_TYPE.test(type)) throw new Breach(415, `the content type is ${type}`);
  const body = parsed(raw);
  must(operation.body.check, body, 'body');
  return body;
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw));
  } catch {
    throw new Breach(400, 'the body is not JSON in UTF-8');
  }
}

function decoded(raw: string): string {
  try {
    const value = decodeURIComponent(raw);
    if (value !== '') return value;
  } catch {
    // falls through to the breach
  }
  throw new Breach(400, `"${raw}" is no value of a path`);
}

function must(check: ValidateFunction, value: unknown, what: string): void {
  if (check(value)) return;
  const faults = (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
  throw new Breach(400, `${what}: ${faults.join('; ')}`);
}
