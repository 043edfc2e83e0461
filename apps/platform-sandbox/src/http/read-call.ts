import type { FastifyRequest } from 'fastify';
import type { ContractOperation } from '../contract/document.js';
import type { RequestRules } from '../contract/request-rules.js';
import type { Subject } from '../faults/fault.js';
import type { Call } from '../operation.js';
import { invalid } from '../refusal.js';
import type { World } from '../state/world.js';

const KEY = 'idempotency-key';

/** Checks a request's form against the contract and gives it its parts. */
export function readCall(operation: ContractOperation, rules: RequestRules, request: FastifyRequest): Call {
  const text = typeof request.body === 'string' ? request.body : '';
  if (!rules.hasBody && text !== '') throw invalid(`body: ${operation.id} takes none`);
  const body = rules.hasBody ? parsed(text) : undefined;
  const key = keyOf(request);
  const query = rules.query(request.query);
  const problem = rules.problem(key, query, body);
  if (problem) throw invalid(problem);
  const reference = member(body, 'reference');
  if (rules.needsKey && reference !== undefined && reference !== key) {
    throw invalid('body: reference differs from the Idempotency-Key');
  }
  const params = request.params as Record<string, string>;
  return {
    agencyId: params.agency_id ?? '',
    userId: params.user_id ?? '',
    recordId: params.invitation_id ?? params.job_id ?? '',
    query,
    key: rules.needsKey ? (key ?? '') : '',
    body,
  };
}

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers[KEY];
  const given = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === KEY);
  if (given.length > 1) throw invalid('Idempotency-Key: given more than once');
  return typeof key === 'string' ? key : undefined;
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
