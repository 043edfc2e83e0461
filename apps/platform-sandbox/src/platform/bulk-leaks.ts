import type { BulkLeaksRecord, LeakRecord } from '../state/records.js';
import type { World } from '../state/world.js';

/** Sorts before the ids of all other leaks, which begin with letters. */
const PREFIX = '000_';
const ID = new RegExp(`^${PREFIX}(.*)_(\\d{9})$`);

/** Made while they are read: nothing is kept of each. */
export function* bulkLeaks(world: World, userId: string, after = '', since = 0): Generator<LeakRecord> {
  const bulk = world.bulkLeaks.get(userId);
  if (!bulk || bulk.created_at < since) return;
  const number = numberOf(after);
  const first = number === undefined ? 0 : number + 1;
  if (number === undefined && after > PREFIX) return;
  for (let at = first; at < bulk.count; at++) yield leakAt(bulk, at);
}

/** A listed leak, made or kept. */
export function findLeak(world: World, leakId: string): LeakRecord | undefined {
  const kept = world.leaks.get(leakId);
  if (kept) return kept;
  const bulk = world.bulkLeaks.get(ID.exec(leakId)?.[1] ?? '');
  const number = numberOf(leakId) ?? 0;
  return bulk && number < bulk.count ? leakAt(bulk, number) : undefined;
}

function numberOf(leakId: string): number | undefined {
  const number = ID.exec(leakId)?.[2];
  return number === undefined ? undefined : Number(number);
}

function leakAt({ user_id, url_length, created_at }: BulkLeaksRecord, number: number): LeakRecord {
  return {
    leak_id: `${PREFIX}${user_id}_${String(number).padStart(9, '0')}`,
    user_id,
    url: `https://bulk.example/${user_id}/${number}/`.padEnd(url_length, 'x'),
    status: 'Detected',
    status_code: 'detected',
    actionable: true,
    dead_on_arrival: false,
    created_at,
    updated_at: created_at,
    job_id: null,
  };
}
