import type { Scope } from '#agencies';
import type { ApiClient } from './api-client.js';
import type { OpenApiDocument, OpenApiOperation } from './documented.js';
import type { Exchange } from './exchange.js';
import type { Holdings } from './holdings.js';

/** An operation of the service as its own document describes it: what is served is in it automatically. */
export interface Operation {
  /** Such as `GET /v1/creators/{id}`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly Scope[];
  /** The prefix of the id in its path, such as `crt`. */
  readonly idPrefix: string | undefined;
  /** A query parameter `after`. */
  readonly isPaged: boolean;
  readonly needsIdempotencyKey: boolean;
  /** The first body that the document shows. */
  readonly body: object | undefined;
}

export const operationsOf = async (url: string): Promise<readonly Operation[]> => {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => operationOf(method.toUpperCase(), path, described)),
  );
};

const operationOf = (method: string, path: string, described: OpenApiOperation): Operation => {
  const parameters = described.parameters ?? [];
  const examples = described.requestBody?.content['application/json']?.examples ?? {};
  const id = parameters.find(({ name, in: location }) => name === 'id' && location === 'path');
  return {
    name: `${method} ${path}`,
    method,
    path,
    scopes: described['x-scopes'] ?? [],
    idPrefix: /^\^([a-z]+)_/.exec(id?.schema.pattern ?? '')?.[1],
    isPaged: parameters.some(({ name, in: location }) => name === 'after' && location === 'query'),
    needsIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    body: Object.values(examples)[0]?.value,
  };
};

/** Operations that need an invitee. Every other route of creators takes any creator. */
const OF_INVITEES: ReadonlySet<string> = new Set([
  'POST /v1/creators/{id}/resend-invitation',
  'DELETE /v1/creators/{id}',
]);

/** The id of what the operation is about, of its kind and in a state that the operation takes. */
export const subjectIdOf = ({ name, idPrefix }: Operation, holdings: Holdings): string => {
  switch (idPrefix) {
    case undefined:
      return '';
    case 'crt':
      return OF_INVITEES.has(name) ? holdings.inviteeFor(name) : holdings.creatorId;
    case 'wsp':
      return holdings.workspaceId;
    case 'scn':
      return holdings.scanId;
    case 'cas':
      return holdings.caseId;
    case 'dix':
      return holdings.deindexRequestId;
    default:
      throw new Error(`${name} is about a ${idPrefix}, of which there is none to ask with`);
  }
};

/** Its path about that. */
export const addressOf = (operation: Operation, holdings: Holdings): string =>
  operation.path.replace('{id}', subjectIdOf(operation, holdings));

export interface Asked {
  /** In place of the holdings' own. */
  readonly id?: string;
  readonly query?: string;
  readonly bytes?: string;
}

/** Sends what the operation takes from the owner of the holdings, but for what is asked otherwise. */
export const ask = (
  api: ApiClient,
  operation: Operation,
  holdings: Holdings,
  { id = subjectIdOf(operation, holdings), query = '', bytes }: Asked = {},
): Promise<Exchange> => {
  const { name, method, path, body, needsIdempotencyKey } = operation;
  const address = `${path.replace('{id}', id)}${query}`;
  if (body === undefined) return api.send(method, address);
  const sent = {
    ...body,
    ...('workspace_id' in body && { workspace_id: holdings.workspaceId }),
    ...('svc_user_id' in body && { svc_user_id: holdings.userId }),
  };
  const key = { 'idempotency-key': name };
  const headers = { 'content-type': 'application/json', ...(needsIdempotencyKey && key) };
  return api.send(method, address, { headers, body: bytes ?? JSON.stringify(sent) });
};
