import type { Switch } from '#usage';
import type { ProtectionSwitch } from './answers.js';

export const shownSwitch = ({ eventId, revision, at, actor, requestId, reason }: Switch): ProtectionSwitch => ({
  event_id: eventId,
  timeline_cursor: String(revision + 1),
  at,
  actor,
  request_id: requestId,
  reason,
});
