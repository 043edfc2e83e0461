import { EFFECT_KINDS } from '../state/records.js';
import type { World } from '../state/world.js';

type EffectCounts = Record<string, Record<string, number>>;

/** How often each reference has had a real effect. Durable, so that a crash of the sandbox loses no evidence. */
export function countedEffects(world: World): EffectCounts {
  const counts: Record<string, Record<string, number>> = {};
  const totals: Record<string, number> = {};
  for (const kind of EFFECT_KINDS) {
    const byReference: Record<string, number> = {};
    counts[kind] = byReference;
    totals[kind] = 0;
  }
  for (const { kind, reference, count } of world.effects.values()) {
    const byReference = counts[kind];
    if (byReference) byReference[reference] = count;
    totals[kind] = (totals[kind] ?? 0) + count;
  }
  return { ...counts, totals };
}

export function forgetEffects(world: World): void {
  for (const { kind, reference } of [...world.effects.values()]) world.effects.remove(`${kind} ${reference}`);
}
