import type { ListedKeyAnswer } from '../../answers/keys.js';
import { lazyPart } from '../api/part.js';
import { useMay } from '../api/session.js';
import { DateTime } from '../components/date-time.js';
import { useDialog } from '../components/dialog.js';
import { counted, DAY_MS, dayOf, words } from '../components/formats.js';
import { useNow } from '../components/now.js';
import { Status } from '../components/status.js';

interface OfKey {
  readonly apiKey: ListedKeyAnswer;
}

export function Secret({ apiKey: { last_four: end } }: OfKey) {
  return <code>svc_live_…{end}</code>;
}

export function LastUse({ apiKey }: OfKey) {
  const { last_used_at: at, uses_recorded_since: since, created_at: createdAt } = apiKey;
  if (at !== null) return <DateTime at={at} />;
  // It may have been used before uses were recorded.
  return <>{since !== null && createdAt < since ? `Not since ${dayOf(since)}` : 'Never'}</>;
}

export function KeyStatus({ apiKey: { status, expires_at: end } }: OfKey) {
  const now = useNow();
  if (status === 'active' && end !== null && end - now < ENDS_SOON) {
    return <Status tone="wait">{`Expires in ${counted(Math.max(1, Math.floor((end - now) / DAY_MS)), 'day')}`}</Status>;
  }
  return <Status tone={TONES[status]}>{words(status)}</Status>;
}

const ENDS_SOON = 14 * DAY_MS;
export const TONES = { active: 'good', expired: 'wait', revoked: 'off', earlier_binding: 'off' } as const;

const CreateKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).CreateKeyDialog);
const ReplaceKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).ReplaceKeyDialog);
const RevokeKeyDialog = lazyPart(async () => (await import('./key-dialog.js')).RevokeKeyDialog);

/** Returns the actions that the person may take, and the dialog that is open. */
export function useKeyActions() {
  const mayManage = useMay('manage_keys');
  const mayRevoke = useMay('revoke_keys');
  const { dialog, opening } = useDialog();
  const revoke = (apiKey: ListedKeyAnswer) => opening(RevokeKeyDialog, { apiKey });
  const actionsOf = (apiKey: ListedKeyAnswer): Readonly<Record<string, () => void>> => ({
    ...(mayManage && apiKey.status === 'active' && { Replace: opening(ReplaceKeyDialog, { apiKey }) }),
    ...(mayRevoke && apiKey.status === 'active' && { Revoke: revoke(apiKey) }),
  });
  return { mayManage, mayAct: mayManage || mayRevoke, actionsOf, create: opening(CreateKeyDialog, {}), revoke, dialog };
}
