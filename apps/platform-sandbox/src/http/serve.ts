import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoggedCall } from '../calls/call-log.js';
import type { ContractOperation } from '../contract/document.js';
import type { Fault } from '../faults/fault.js';
import type { Call, Operation } from '../operation.js';
import { Refusal } from '../refusal.js';
import type { SandboxCore } from '../sandbox-core.js';
import { type Outcome, once } from './idempotency.js';
import { misanswer, refusalOf } from './misanswer.js';
import { readCall, subjectOf } from './read-call.js';

export interface ServedOperation {
  operation: ContractOperation;
  run: Operation;
}

/** One contract call, from its form to its answer or its faults. */
export async function serve(
  core: SandboxCore,
  served: ServedOperation,
  logged: LoggedCall,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const call = readCall(request);
  const subject = subjectOf(core.world, call);
  logged.reference = subject.references[0] ?? null;

  const fate = core.faults.strike(served.operation.id, subject);
  if (fate.waitBefore > 0) await wait(fate.waitBefore, undefined, { signal: core.closing.signal });
  if (fate.before) return misanswer(core, logged, reply, fate.before);

  const fingerprint = `${request.url} ${logged.body_hash}`;
  const { outcome, error } = attempt(() => perform(core, served, call, fingerprint, fate.refusal));
  logged.effect = outcome?.effect ?? 'none';
  logged.refusal = error?.code ?? null;
  if (fate.waitAfter > 0) await wait(fate.waitAfter, undefined, { signal: core.closing.signal });
  if (fate.after) return misanswer(core, logged, reply, fate.after);
  if (!outcome) throw error;
  core.calls.finish(logged, outcome.status);
  return reply.code(outcome.status).send(outcome.body);
}

function perform(
  core: SandboxCore,
  { operation, run }: ServedOperation,
  call: Call,
  fingerprint: string,
  refusal: Fault | undefined,
): Outcome {
  const chosen: Operation = refusal
    ? () => {
        throw refusalOf(refusal);
      }
    : run;
  return core.apply((world) => {
    if (operation.method === 'POST') return once(world, operation.id, fingerprint, call, chosen);
    const answer = chosen(world, call);
    if (answer.changed === undefined) return { ...answer, effect: 'none' };
    return { ...answer, effect: answer.changed ? 'done' : 'repeated' };
  });
}

/** A refusal has to outlive the faults that strike after it. */
function attempt(run: () => Outcome): { outcome?: Outcome; error?: Refusal } {
  try {
    return { outcome: run() };
  } catch (error) {
    if (error instanceof Refusal) return { error };
    throw error;
  }
}
