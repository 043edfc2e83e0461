import type { Answer, Call, Operation } from '../operation.js';
import { conflict } from '../refusal.js';
import { rememberedId, type World } from '../state/world.js';

export interface Outcome extends Answer {
  effect: 'done' | 'repeated' | 'none';
}

/**
 * Runs a write once per key. There is no await between looking the key up and remembering the result, so
 * concurrent repeats find it. The request's bytes and its path are what a repeat has to match.
 */
export function once(world: World, operationId: string, fingerprint: string, call: Call, run: Operation): Outcome {
  const first = world.remembered.get(rememberedId(operationId, call.key));
  if (first && first.fingerprint !== fingerprint) {
    throw conflict('idempotency_conflict', 'The Idempotency-Key was used with another request.');
  }
  if (first) return { status: first.status, body: first.body, effect: 'repeated' };
  const answer = run(world, call);
  world.remembered.put({
    operation: operationId,
    key: call.key,
    fingerprint,
    status: answer.status,
    body: answer.body,
  });
  return { ...answer, effect: 'done' };
}
