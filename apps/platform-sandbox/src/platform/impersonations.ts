import type { Impersonation } from '../contract/types.js';
import { bodyOf, type Operation, ok } from '../operation.js';
import { unprocessable } from '../refusal.js';
import type { ImpersonationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { creatorOf } from './membership.js';
import { afterOf, page } from './page.js';
import { accountAt } from './social-hosts.js';

export const listImpersonations: Operation = (world, call) => {
  creatorOf(world, call.agencyId, call.userId);
  const cases = world.impersonations.ascending(call.userId, afterOf(call));
  return ok(page(cases, call, showImpersonation, (record) => record.impersonation_id));
};

export const reportImpersonation: Operation = (world, call) => {
  creatorOf(world, call.agencyId, call.userId);
  const { url } = bodyOf<{ url: string }>(call);
  const account = accountAt(url);
  if (!account) throw unprocessable('unsupported_impersonation_url', 'No account on a supported host.');
  const now = world.now();
  const opened = world.impersonations.put({
    impersonation_id: world.newId('imp'),
    user_id: call.userId,
    platform: account.platform,
    url,
    username: account.username,
    status: 'open',
    created_at: now,
    updated_at: now,
    private_notes: 'Reported over the API; not reviewed yet.',
    recipient_contact: `abuse@${account.platform}.example`,
  });
  world.countEffect('impersonations', call.key);
  return { status: 201, body: showImpersonation(opened) };
};

function showImpersonation({ user_id: _user, ...shown }: ImpersonationRecord): Impersonation {
  return shown;
}

export function addImpersonation(world: World, userId: string, given: Partial<Impersonation>): ImpersonationRecord {
  const impersonation_id = given.impersonation_id ?? world.newId('imp');
  const created_at = given.created_at ?? world.now();
  return world.impersonations.put({
    impersonation_id,
    user_id: userId,
    platform: 'instagram',
    url: `https://instagram.com/fake_${impersonation_id.slice(-8)}`,
    username: `fake_${impersonation_id.slice(-8)}`,
    status: 'open',
    created_at,
    updated_at: created_at,
    private_notes: 'Seen by the night shift; the client is upset.',
    recipient_contact: 'abuse-desk@host.example',
    ...given,
  });
}
