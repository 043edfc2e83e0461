import type { Impersonation } from '../contract/types.js';
import { addImpersonation } from '../platform/impersonations.js';
import { notFound } from '../refusal.js';
import type { ImpersonationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { COUNT, type Control, controlBody, NULLABLE_TEXT, NUMBER, oneOf, TEXT } from './control.js';

const IMPERSONATION = {
  platform: TEXT,
  url: TEXT,
  username: NULLABLE_TEXT,
  status: oneOf('open', 'reported', 'removed', 'rejected'),
  private_notes: TEXT,
  recipient_contact: TEXT,
};

export const impersonationControls: readonly Control[] = [
  {
    method: 'POST',
    path: '/creators/:id/impersonations',
    members: { count: COUNT, impersonation_id: TEXT, created_at: NUMBER, ...IMPERSONATION },
    run({ world }, call) {
      if (!world.creators.get(call.id)) throw notFound('creator');
      const { count = 1, ...given } = controlBody<Partial<Impersonation> & { count?: number }>(call);
      const ids = Array.from({ length: count }, () => addImpersonation(world, call.id, given).impersonation_id);
      return { impersonation_ids: ids };
    },
  },
  {
    method: 'PATCH',
    path: '/impersonations/:id',
    members: IMPERSONATION,
    run({ world }, call) {
      const known = impersonationAt(world, call.id);
      const change = controlBody<Partial<Impersonation>>(call);
      return world.impersonations.put({ ...known, ...change, updated_at: world.after(known.updated_at) });
    },
  },
  {
    method: 'DELETE',
    path: '/impersonations/:id',
    members: {},
    run: ({ world }, call) => world.impersonations.remove(impersonationAt(world, call.id).impersonation_id),
  },
];

function impersonationAt(world: World, id: string): ImpersonationRecord {
  const record = world.impersonations.get(id);
  if (!record) throw notFound('impersonation');
  return record;
}
