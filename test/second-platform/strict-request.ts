import type { IncomingMessage } from 'node:http';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from './contract.js';

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

/** What HTTP itself needs; every other header is one that the contract does not speak of. */
const PLAIN_HEADERS = new Set(
  'host connection keep-alive user-agent accept accept-language accept-encoding sec-fetch-mode authorization'.split(
    ' ',
  ),
);
const BODY_HEADERS = new Set(['content-type', 'content-length', 'transfer-encoding']);
const JSON_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

export function route(operations: Operation[], method: string, path: string): Operation {
  const segments = path.split('/').slice(1);
  const here = operations.filter(
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
  const header = readHeader(operation, request);
  const key = typeof header === 'string' ? header : undefined;
  const body = readBody(operation, request, raw);
  if (operation.body?.hasReference && (body as { reference: string }).reference !== key) {
    throw new Breach(400, 'the reference is not the Idempotency-Key');
  }
  return { path: readPath(operation, path), query: readQuery(operation, url), key, fence: Number(header), body };
}

function checkHeaders(operation: Operation, request: IncomingMessage, raw: Buffer): void {
  const accept = request.headers.accept;
  if (accept && !/application\/json|application\/\*|\*\/\*/i.test(accept)) throw new Breach(406, `accepts ${accept}`);
  for (const name of Object.keys(request.headersDistinct)) {
    const known = PLAIN_HEADERS.has(name) || BODY_HEADERS.has(name) || name === operation.header?.name;
    if (!known) throw new Breach(400, `the header ${name} has no meaning here`);
    if ((request.headersDistinct[name]?.length ?? 0) > 1) throw new Breach(400, `the header ${name} twice`);
  }
  if (!operation.body && (raw.length > 0 || request.headers['content-type'])) {
    throw new Breach(400, 'a body, or its type, where the contract has none');
  }
}

function readHeader({ header }: Operation, request: IncomingMessage): string | number | undefined {
  if (!header) return undefined;
  const text = request.headers[header.name];
  if (typeof text !== 'string') throw new Breach(400, `no ${header.name}`);
  if (header.integer && !/^[1-9]\d*$/.test(text)) throw new Breach(400, `${header.name} is no number`);
  const value = header.integer ? Number(text) : text;
  must(header.check, value, header.name);
  return value;
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

function readPath(operation: Operation, path: string): Record<string, string> {
  const values: Record<string, string> = {};
  path
    .split('/')
    .slice(1)
    .forEach((raw, at) => {
      const name = /^\{(.+)\}$/.exec(operation.segments[at] ?? '')?.[1];
      if (name) values[name] = decoded(raw);
    });
  for (const [name, check] of operation.pathParameters) must(check, values[name], name);
  return values;
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

function readQuery(operation: Operation, url: URL): Record<string, string> {
  for (const name of url.searchParams.keys()) {
    if (!operation.query.has(name)) throw new Breach(400, `the query has no ${name}`);
  }
  const values: Record<string, string> = {};
  for (const [name, { required, integer, check }] of operation.query) {
    const [value, ...more] = url.searchParams.getAll(name);
    if (more.length > 0) throw new Breach(400, `the query has ${name} twice`);
    if (value === undefined && required) throw new Breach(400, `the query lacks ${name}`);
    if (value === undefined) continue;
    if (integer && !/^-?\d+$/.test(value)) throw new Breach(400, `${name} is not an integer`);
    must(check, integer ? Number(value) : value, name);
    values[name] = value;
  }
  return values;
}

function must(check: ValidateFunction, value: unknown, what: string): void {
  if (check(value)) return;
  const faults = (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
  throw new Breach(400, `${what}: ${faults.join('; ')}`);
}
