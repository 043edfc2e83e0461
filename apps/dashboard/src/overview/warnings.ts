import type { AgencyDescription, ListedKey } from '#agencies';
import { DAY, type Duration, type Instant } from '#kernel';
import { disablesAt, type ListedEndpoint } from '#webhooks';
import type { WarningAnswer } from './answers.js';

type EndpointSeen = Pick<ListedEndpoint, 'id' | 'url' | 'status' | 'failingSince'>;

const ENDS_SOON: Duration = 14 * DAY;

interface Seen {
  readonly description: AgencyDescription;
  readonly keys: readonly ListedKey[];
  readonly endpoints: readonly EndpointSeen[];
  /** How many records of the platform were left out. */
  readonly leftOut: number;
}

export const warningsOf = ({ description, keys, endpoints, leftOut }: Seen, now: Instant): WarningAnswer[] => [
  ...(description.native === 'unavailable' ? [PLATFORM_UNAVAILABLE] : []),
  ...keys.flatMap(endingSoon(now)),
  ...endpoints.flatMap(failing(now)),
  ...(leftOut > 0 ? [leftOutWarning(leftOut)] : []),
];

const leftOutWarning = (count: number): WarningAnswer => ({
  kind: 'records_left_out',
  message: `${count} ${count === 1 ? 'record' : 'records'} of the platform cannot be read, and are left out until it mends them.`,
  id: null,
  at: null,
});

const PLATFORM_UNAVAILABLE: WarningAnswer = {
  kind: 'platform_unavailable',
  message: 'The platform does not answer at the moment. What it says of the agency is missing here.',
  id: null,
  at: null,
};

const endingSoon =
  (now: Instant) =>
  ({ id, name, status, expiresAt }: ListedKey): WarningAnswer[] => {
    if (status !== 'active' || expiresAt === null || expiresAt - now > ENDS_SOON) return [];
    const message = `The key ${name ?? id} ends on ${dayOf(expiresAt)}. Replace it before, and revoke it then.`;
    return [{ kind: 'key_ends', message, id, at: expiresAt }];
  };

const failing =
  (now: Instant) =>
  ({ id, url, status, failingSince }: EndpointSeen): WarningAnswer[] => {
    const at = status === 'active' ? disablesAt(failingSince, now) : null;
    if (at === null) return [];
    const message = `The endpoint ${url} fails. It is disabled on ${dayOf(at)} unless a delivery succeeds before.`;
    return [{ kind: 'endpoint_fails', message, id, at }];
  };

const dayOf = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
