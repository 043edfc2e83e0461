export { type AnyEvent, isKnownEvent, type KnownEvent, type UnknownEvent } from './events/known-event.js';
export type { HeadersLike } from './webhooks/signatures.js';
export { type WebhookProblem, WebhookVerificationError } from './webhooks/signatures.js';
export type { WebhookBody } from './webhooks/verify-webhook.js';
export { type VerifyWebhookOptions, verifyWebhook } from './webhooks/verify-webhook.js';
