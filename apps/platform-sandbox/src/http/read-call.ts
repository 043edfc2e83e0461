import type { FastifyRequest } from 'fastify';
import type { ContractOperation } from '../contract/document.js';
import type { RequestRules } from '../contract/request-rules.js';
import type { Subject } from '../faults/fault.js';
import type { Call } from '../operation.js';
import { invalid } from '../refusal.js';
import type { World } from '../state/world.js';

/** Checks a request's form against the contract and gives it its parts. */
export function readCall(operation: ContractOperation, rules: RequestRules, request: FastifyRequest): Call {
  const text = typeof request.body === 'string' ? request.body : '';
  if (!rules.hasBody && text !== '') throw invalid(`body: ${operation.id} takes none`);
  const body = rules.hasBody ? parsed(text) : undefined;
  const headers = rules.headers((name) => headerOf(request, name));
  const query = rules.query(request.query);
  const problem = rules.problem(headers, query, body);
  if (problem) throw invalid(problem);
  const key = headers['Idempotency-Key'];
  const reference = member(body, 'reference');
  if (key !== undefined && reference !== undefined && reference !== key) {
    throw invalid('body: reference differs from the Idempotency-Key');
  }
  const params = request.params as Record<string, string>;
  return {
    agencyId: params.agency_id ?? '',
    userId: params.user_id ?? '',
    recordId: params.invitation_id ?? params.job_id ?? '',
    query,
    key: String(key ?? ''),
    fence: Number(headers.Fence ?? 0),
    body,
    origin: `${request.protocol}://${request.host}`,
  };
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const [value, ...more] = request.raw.headersDistinct[name.toLowerCase()] ?? [];
  if (more.length > 0) throw invalid(`${name}: given more than once`);
  return value;
}

/** The record that the path names lends its own subject, so that a fault on a scan also meets the polling of its job. */
export function subjectOf(world: World, call: Call): Subject {
  const record = world.jobs.get(call.recordId) ?? world.invitations.get(call.recordId);
  const reference = member(call.body, 'reference') ?? call.query.reference;
  const references = [reference, call.key, record?.reference].filter((value) => value !== undefined && value !== '');
  return {
    agencyId: call.agencyId || (member(call.body, 'agency_id') ?? record?.agency_id ?? ''),
    userId: call.userId || (member(call.body, 'user_id') ?? record?.user_id ?? ''),
    references: references.map(String),
  };
}

function member(body: unknown, name: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('body: not JSON');
  }
}
