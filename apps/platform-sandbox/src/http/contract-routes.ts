import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedCall } from '../calls/call-log.js';
import { type ContractOperation, contractOperations } from '../contract/document.js';
import { named, requestSchema } from '../contract/schemas.js';
import { type Fault, refusalOf, type Subject } from '../faults/faults.js';
import { type Answer, type Call, invalid, type Operation, type Operations, Refusal } from '../operation.js';
import { agencyOperations } from '../platform/agencies.js';
import { billingOperations } from '../platform/billing.js';
import { creatorOperations } from '../platform/creators.js';
import { deindexOperations } from '../platform/deindex-submissions.js';
import { impersonationOperations } from '../platform/impersonations.js';
import { invitationOperations } from '../platform/invitations.js';
import { leakOperations } from '../platform/leaks.js';
import { scanJobOperations } from '../platform/scan-jobs.js';
import type { SandboxCore } from '../sandbox-core.js';
import { rememberedId, type World } from '../state/world.js';

const operations: Operations = {
  ...agencyOperations,
  ...billingOperations,
  ...creatorOperations,
  ...invitationOperations,
  ...leakOperations,
  ...impersonationOperations,
  ...scanJobOperations,
  ...deindexOperations,
};

/** One route for each operation of the contract; the contract itself is the route table. */
export function contractRoutes(app: FastifyInstance, core: SandboxCore): void {
  for (const operation of contractOperations) {
    const run = operations[operation.id];
    if (!run) throw new Error(`the sandbox does not implement ${operation.id}`);
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      schema: requestSchema(operation),
      config: { operationId: operation.id },
      handler: (request, reply) => serve(core, operation, run, request, reply),
    });
  }
}

async function serve(
  core: SandboxCore,
  operation: ContractOperation,
  run: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { logged } = request;
  if (!logged) throw new Error('the call was not logged');
  const call = readCall(request);
  const subject = subjectOf(core.world, call);
  logged.reference = subject.references[0] ?? null;

  const fate = core.faults.strike(operation.id, subject);
  if (fate.waitBefore > 0) await wait(fate.waitBefore, undefined, { signal: core.closing.signal });
  if (fate.before) return misanswer(core, logged, reply, fate.before);

  const { refusal } = fate;
  const perform: Operation = (world, asked) => {
    if (refusal) throw refusalOf(refusal);
    const answer = run(world, asked);
    return { ...answer, body: named(operation.responses.get(`${answer.status}`), answer.body) };
  };
  const fingerprint = `${request.url} ${logged.body_hash}`;
  let answer: Answer | undefined;
  let refused: Refusal | undefined;
  try {
    answer = core.apply((world) =>
      operation.method === 'POST' ? once(world, operation.id, fingerprint, call, perform) : perform(world, call),
    );
  } catch (error) {
    // A refusal has to outlive the faults that strike after it.
    if (!(error instanceof Refusal)) throw error;
    refused = error;
  }
  if (answer?.changed !== undefined) logged.effect = answer.changed ? 'done' : 'repeated';
  logged.refusal = refused?.code ?? null;
  if (fate.waitAfter > 0) await wait(fate.waitAfter, undefined, { signal: core.closing.signal });
  if (fate.after) return misanswer(core, logged, reply, fate.after);
  if (!answer) throw refused;
  core.calls.finish(logged, answer.status);
  return reply.code(answer.status).send(answer.body);
}

function readCall({ body, headers, host, params, protocol, query, raw }: FastifyRequest): Call {
  const keys = raw.headersDistinct['idempotency-key'] ?? [];
  if (keys.length > 1) throw invalid('Idempotency-Key: given more than once');
  const [key = ''] = keys;
  if (key !== '' && key !== (member(body, 'reference') ?? key)) {
    throw invalid('body: reference differs from the Idempotency-Key');
  }
  const { agency_id, user_id, invitation_id, job_id } = params as Record<string, string>;
  return {
    agencyId: agency_id ?? member(body, 'agency_id') ?? '',
    userId: user_id ?? member(body, 'user_id') ?? '',
    recordId: invitation_id ?? job_id ?? '',
    query: query as Call['query'],
    key,
    fence: Number(headers.fence ?? 0),
    body,
    origin: `${protocol}://${host}`,
  };
}

/** The record in the path adds its own subject, so that a fault on a scan also affects the polling of its job. */
function subjectOf(world: World, { agencyId, userId, recordId, body, query, key }: Call): Subject {
  const record = world.jobs.get(recordId) ?? world.invitations.get(recordId);
  const references = [member(body, 'reference') ?? query.reference, key, record?.reference];
  return {
    agencyId: agencyId || (record?.agency_id ?? ''),
    userId: userId || (record?.user_id ?? ''),
    references: references.filter((value) => value !== undefined && value !== '').map(String),
  };
}

function member(body: unknown, name: string): string | undefined {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * Runs a write once per key. There is no await between looking up the key and remembering the result, so concurrent
 * repeats find it. A repeat must match the request's bytes and its path.
 */
function once(world: World, operation: string, fingerprint: string, call: Call, run: Operation): Answer {
  const { key } = call;
  const first = world.remembered.get(rememberedId(operation, key));
  if (first && first.fingerprint !== fingerprint) {
    throw new Refusal(409, 'idempotency_conflict', 'The Idempotency-Key was used with another request.');
  }
  if (first) return { status: first.status, body: first.body, changed: false };
  const { status, body } = run(world, call);
  world.remembered.put({ operation, key, fingerprint, status, body });
  return { status, body, changed: true };
}

function misanswer(core: SandboxCore, logged: LoggedCall, reply: FastifyReply, fault: Fault): FastifyReply {
  switch (fault.kind) {
    case 'close_before':
    case 'close_after':
      core.calls.finish(logged, 'closed');
      reply.hijack();
      reply.raw.destroy();
      return reply;
    case 'hang':
      // The log's entry stays in flight until the caller hangs up.
      return reply.hijack();
    case 'broken_json':
    case 'wrong_shape': {
      const { status = 200 } = fault;
      core.calls.finish(logged, status);
      const text = fault.kind === 'broken_json' ? '{"data": [{"broken' : '{"unexpected": [true, null]}';
      return reply.code(status).type('application/json').send(text);
    }
    default:
      throw refusalOf(fault);
  }
}
