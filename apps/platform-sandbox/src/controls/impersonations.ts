import { objectOf } from '../contract/schemas.js';
import type { Impersonation } from '../contract/types.js';
import { addImpersonation } from '../platform/impersonations.js';
import { found } from '../refusal.js';
import { COUNT, control, NO_MEMBERS, NULLABLE_TEXT, NUMBER, oneOf, TEXT } from './control.js';

type AddImpersonations = Partial<Impersonation> & { count?: number };

const IMPERSONATION = {
  platform: TEXT,
  url: TEXT,
  username: NULLABLE_TEXT,
  status: oneOf('open', 'reported', 'removed', 'rejected'),
  private_notes: TEXT,
  recipient_contact: TEXT,
};
const NEW = objectOf({ count: COUNT, impersonation_id: TEXT, created_at: NUMBER, ...IMPERSONATION });
const CHANGE = objectOf(IMPERSONATION);

export const impersonationControls = [
  control<AddImpersonations>('POST', '/creators/:id/impersonations', NEW, ({ world }, { id, body }) => {
    const { user_id } = found(world.creators.get(id), 'creator');
    const { count = 1, ...given } = body;
    const added = Array.from({ length: count }, () => addImpersonation(world, user_id, given));
    return { impersonation_ids: added.map(({ impersonation_id }) => impersonation_id) };
  }),

  control<Partial<Impersonation>>('PATCH', '/impersonations/:id', CHANGE, ({ world }, { id, body }) => {
    const known = found(world.impersonations.get(id), 'impersonation');
    return world.impersonations.put({ ...known, ...body, updated_at: world.after(known.updated_at) });
  }),

  control('DELETE', '/impersonations/:id', NO_MEMBERS, ({ world }, { id }) => {
    found(world.impersonations.get(id), 'impersonation');
    world.impersonations.remove(id);
  }),
];
