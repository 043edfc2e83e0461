export { type AnyEvent, isKnownEvent, type KnownEvent, type UnknownEvent } from './events/known-event.js';
export { type WebhookProblem, WebhookVerificationError } from './webhooks/errors.js';
export type { HeadersLike } from './webhooks/headers.js';
export type { WebhookBody } from './webhooks/raw-body.js';
export { type VerifyWebhookOptions, verifyWebhook } from './webhooks/verify-webhook.js';
