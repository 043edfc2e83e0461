import type { FastifyRequest } from 'fastify';
import type { Subject } from '../faults/fault.js';
import type { Call, Query } from '../operation.js';
import { invalid } from '../refusal.js';
import type { World } from '../state/world.js';

/** The parts of a request, whose form Fastify has checked against the contract. */
export function readCall({ body, headers, host, params, protocol, query, raw }: FastifyRequest): Call {
  const keys = raw.headersDistinct['idempotency-key'] ?? [];
  if (keys.length > 1) throw invalid('Idempotency-Key: given more than once');
  const [key = ''] = keys;
  if (key !== '' && key !== (member(body, 'reference') ?? key)) {
    throw invalid('body: reference differs from the Idempotency-Key');
  }
  const { agency_id, user_id, invitation_id, job_id } = params as Record<string, string>;
  return {
    agencyId: agency_id ?? '',
    userId: user_id ?? '',
    recordId: invitation_id ?? job_id ?? '',
    query: query as Query,
    key,
    fence: Number(headers.fence ?? 0),
    body,
    origin: `${protocol}://${host}`,
  };
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
