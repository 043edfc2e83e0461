import type { Clock } from '#kernel';
import { ANY_TARGETS, PUBLIC_TARGETS, type TargetPolicy, type WebhookSender } from '#webhooks';
import { CheckedTargets } from './checked-targets.js';
import { dnsResolver, systemResolver } from './name-resolver.js';
import { UndiciSender } from './undici-sender.js';

export abstract class WebhookSending {
  abstract readonly sender: WebhookSender;
  abstract readonly policy: TargetPolicy;
}

/** Sending over HTTP, and the rules for targets: `public` is D59, `any` is for development. */
export const createWebhookSending = (targets: 'public' | 'any', clock: Clock): WebhookSending => {
  const rules = targets === 'public' ? PUBLIC_TARGETS : ANY_TARGETS;
  const resolve = targets === 'public' ? dnsResolver() : systemResolver;
  return { sender: new UndiciSender({ rules, resolve, clock }), policy: new CheckedTargets(rules, resolve) };
};
