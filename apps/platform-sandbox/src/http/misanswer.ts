import type { FastifyReply } from 'fastify';
import type { LoggedCall } from '../calls/call-log.js';
import type { Fault } from '../faults/fault.js';
import { Refusal } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';

/** Answers wrongly, or not at all. */
export function misanswer(core: SandboxCore, logged: LoggedCall, reply: FastifyReply, fault: Fault): FastifyReply {
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
      const status = fault.status ?? 200;
      core.calls.finish(logged, status);
      const text = fault.kind === 'broken_json' ? '{"data": [{"broken' : '{"unexpected": [true, null]}';
      return reply.code(status).type('application/json').send(text);
    }
    default:
      throw refusalOf(fault);
  }
}

export function refusalOf({ kind, status, code }: Fault): Refusal {
  const byDefault = kind === 'refuse' ? 409 : 503;
  return new Refusal(
    status ?? byDefault,
    code ?? (kind === 'refuse' ? 'refused' : 'unavailable'),
    'A fault was asked for.',
  );
}
