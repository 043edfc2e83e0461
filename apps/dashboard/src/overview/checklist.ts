import type { AgencyDescription, ListedKey } from '#agencies';
import type { Instant } from '#kernel';
import type { ListedEndpoint } from '#webhooks';
import type { StepAnswer } from './answers.js';

/** What is known of an agency's way to the first delivery. */
export interface Progress {
  readonly description: AgencyDescription;
  readonly keys: readonly ListedKey[];
  readonly endpoints: readonly Pick<ListedEndpoint, 'status' | 'createdAt'>[];
  readonly firstDeliveryAt: Instant | null;
}

/** It follows reality: what was undone is open again. */
export const checklistOf = ({ description, keys, endpoints, firstDeliveryAt }: Progress): StepAnswer[] => {
  const { binding } = description;
  const isBound = stateOf(description) === 'bound';
  const boundAt = isBound ? binding?.boundAt : undefined;
  return [
    { step: 'verified', done: isVerified(description), at: null },
    { step: 'bound', done: isBound, at: boundAt ?? null },
    since('key_issued', keys.filter(isActive)),
    { step: 'first_call', done: keys.some(({ lastUsedAt }) => lastUsedAt !== null), at: null },
    since('endpoint_registered', endpoints.filter(isActive)),
    { step: 'first_delivery', done: firstDeliveryAt !== null, at: firstDeliveryAt },
  ];
};

/** While the platform does not say otherwise, an agency is its bound owner's. */
export const stateOf = ({ native, binding }: AgencyDescription): 'unbound' | 'bound' | 'owner_changed' => {
  if (binding === undefined) return 'unbound';
  const owner = typeof native === 'object' ? native.ownerUserId : binding.ownerUserId;
  return owner === binding.ownerUserId ? 'bound' : 'owner_changed';
};

/** What a binding to another owner ends. */
export const revokedByBinding = ({ keys, endpoints }: Pick<Progress, 'keys' | 'endpoints'>) => ({
  keys: keys.filter(isActive).length,
  endpoints: endpoints.filter(isActive).length,
});

const isActive = ({ status }: { readonly status: string }): boolean => status === 'active';

const isVerified = ({ native }: AgencyDescription): boolean =>
  typeof native === 'object' && native.onboardingComplete && native.kycStatus === 'approved';

const since = (step: StepAnswer['step'], found: readonly { readonly createdAt: Instant }[]): StepAnswer => {
  const done = found.length > 0;
  return { step, done, at: done ? Math.min(...found.map(({ createdAt }) => createdAt)) : null };
};
