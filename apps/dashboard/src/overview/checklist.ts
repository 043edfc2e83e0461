import type { AgencyDescription, ListedKey } from '#agencies';
import { DAY, type Duration, type Instant } from '#kernel';
import { disablesAt, type ListedEndpoint } from '#webhooks';
import type { StepAnswer, WarningAnswer } from '../../answers/overview.js';

const ENDS_SOON: Duration = 14 * DAY;

type Endpoint = Pick<ListedEndpoint, 'id' | 'url' | 'status' | 'createdAt' | 'failingSince' | 'firstDeliveredAt'>;

export interface Setup {
  readonly description: AgencyDescription;
  readonly keys: readonly ListedKey[];
  readonly endpoints: readonly Endpoint[];
}

/** The steps to the first delivery. A step that was undone is open again. */
export const checklistOf = ({ description, keys, endpoints }: Setup): StepAnswer[] => {
  const { native, binding } = description;
  const isVerified = typeof native === 'object' && native.onboardingComplete && native.kycStatus === 'approved';
  const isBound = stateOf(description) === 'bound';
  return [
    { step: 'verified', done: isVerified, at: null },
    { step: 'bound', done: isBound, at: isBound ? (binding?.boundAt ?? null) : null },
    earliest('key_issued', createdOf(keys)),
    { step: 'first_call', done: keys.some(({ lastUsedAt }) => lastUsedAt !== null), at: null },
    earliest('endpoint_registered', createdOf(endpoints)),
    earliest(
      'first_delivery',
      endpoints.flatMap(({ firstDeliveredAt }) => firstDeliveredAt ?? []),
    ),
  ];
};

/** An agency counts as its bound owner's until the platform names another owner. */
export const stateOf = ({ native, binding }: AgencyDescription): 'unbound' | 'bound' | 'owner_changed' => {
  if (binding === undefined) return 'unbound';
  const owner = typeof native === 'object' ? native.ownerUserId : binding.ownerUserId;
  return owner === binding.ownerUserId ? 'bound' : 'owner_changed';
};

/** The number of keys and endpoints that a binding to another owner revokes. */
export const revokedByBinding = ({ keys, endpoints }: Pick<Setup, 'keys' | 'endpoints'>) => ({
  keys: keys.filter(isActive).length,
  endpoints: endpoints.filter(isActive).length,
});

export const isFailing = ({ status, failingSince }: Pick<Endpoint, 'status' | 'failingSince'>): boolean =>
  status === 'active' && failingSince !== null;

const isActive = ({ status }: { readonly status: string }): boolean => status === 'active';

const createdOf = (found: readonly { readonly status: string; readonly createdAt: Instant }[]): Instant[] =>
  found.filter(isActive).map(({ createdAt }) => createdAt);

const earliest = (step: StepAnswer['step'], times: readonly Instant[]): StepAnswer => {
  const done = times.length > 0;
  return { step, done, at: done ? Math.min(...times) : null };
};

export const warningsOf = ({ description, keys, endpoints }: Setup, leftOut: number, now: Instant): WarningAnswer[] => [
  ...(description.native === 'unavailable' ? [PLATFORM_UNAVAILABLE] : []),
  ...keys.flatMap((key) => endingSoon(key, now)),
  ...endpoints.flatMap((endpoint) => failing(endpoint, now)),
  ...(leftOut > 0 ? [leftOutWarning(leftOut)] : []),
];

const PLATFORM_UNAVAILABLE: WarningAnswer = {
  kind: 'platform_unavailable',
  message: 'The platform does not answer at the moment. Its data about the agency is missing here.',
  id: null,
  at: null,
};

const endingSoon = ({ id, name, status, expiresAt }: ListedKey, now: Instant): WarningAnswer[] => {
  if (status !== 'active' || expiresAt === null || expiresAt - now > ENDS_SOON) return [];
  const message = `Key ${name ?? id} expires on ${dayOf(expiresAt)}. Create a new key before then, switch to it, and revoke this one.`;
  return [{ kind: 'key_ends', message, id, at: expiresAt }];
};

const failing = ({ id, url, status, failingSince }: Endpoint, now: Instant): WarningAnswer[] => {
  const at = status === 'active' ? disablesAt(failingSince, now) : null;
  if (at === null) return [];
  const message = `The endpoint ${url} is failing. It will be disabled on ${dayOf(at)} unless a delivery succeeds before then.`;
  return [{ kind: 'endpoint_fails', message, id, at }];
};

const leftOutWarning = (count: number): WarningAnswer => ({
  kind: 'records_left_out',
  message: `${count} ${count === 1 ? 'record' : 'records'} of the platform cannot be read and will be left out until the platform corrects them.`,
  id: null,
  at: null,
});

const dayOf = (at: Instant): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
