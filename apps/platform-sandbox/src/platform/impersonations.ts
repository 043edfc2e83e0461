import type { Impersonation } from '../contract/types.js';
import { afterOf, bodyOf, type Operations, page, Refusal } from '../operation.js';
import type { ImpersonationRecord } from '../state/records.js';
import type { World } from '../state/world.js';
import { creatorOf } from './creators.js';

export const impersonationOperations: Operations = {
  listImpersonations(world, call) {
    const { user_id } = creatorOf(world, call);
    return page(world.impersonations.ascending(user_id, afterOf(call)), call, (record) => record.impersonation_id);
  },

  reportImpersonation(world, call) {
    const { user_id } = creatorOf(world, call);
    const { url } = bodyOf<{ url: string }>(call);
    const account = accountAt(url);
    if (!account) throw new Refusal(422, 'unsupported_impersonation_url', 'No account on a supported host.');
    world.countEffect('impersonations', call.key);
    const private_notes = 'Reported over the API; not reviewed yet.';
    const recipient_contact = `abuse@${account.platform}.example`;
    const opened = addImpersonation(world, user_id, { ...account, url, private_notes, recipient_contact });
    return { status: 201, body: opened };
  },
};

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

const HOSTS = new Set(
  (
    'onlyfans.com fansly.com fanvue.com chaturbate.com stripchat.com instagram.com x.com twitter.com mym.fans mym.com ' +
    'tiktok.com manyvids.com facebook.com reddit.com youtube.com t.me'
  ).split(' '),
);
const RENAMED: Readonly<Record<string, string>> = { twitter: 'x', t: 'telegram' };

/** Path words that precede an account's name. */
const PREFIXES = new Set(['en', 'fr', 'user', 'u', 'channel', 'c']);

interface Account {
  platform: string;
  username: string;
}

export function accountAt(url: string): Account | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, host, pathname, username: user, password } = new URL(url);
  const site = host.replace(/^(www|m)\./, '');
  if (protocol !== 'https:' || user || password || !HOSTS.has(site)) return undefined;
  const [label = ''] = site.split('.');
  const platform = RENAMED[label] ?? label;
  const segments = pathname.split('/').filter((segment) => segment !== '' && !PREFIXES.has(segment.toLowerCase()));
  const name = platform === 'manyvids' ? segments[2] : segments[0];
  return name ? { platform, username: name.replace(/^@/, '') } : undefined;
}
