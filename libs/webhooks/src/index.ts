export { AwaitTestResult } from './application/await-test-result.js';
export { CheckSignature } from './application/check-signature.js';
export { ChooseEventTypes, chosenTypes } from './application/choose-event-types.js';
export { DisableEndpoint } from './application/disable-endpoint.js';
export { EnableEndpoint } from './application/enable-endpoint.js';
export { EndReplay } from './application/end-replay.js';
export { GetDelivery, type ShownDelivery } from './application/get-delivery.js';
export { GetEndpoint } from './application/get-endpoint.js';
export { GetReplay } from './application/get-replay.js';
export { ListReplays } from './application/list-replays.js';
export { RegisterEndpoint } from './application/register-endpoint.js';
export { ReplayDelivery } from './application/replay-delivery.js';
export { RequestReplay } from './application/request-replay.js';
export { RequestTest } from './application/request-test.js';
export { RotateSecret } from './application/rotate-secret.js';
export { SecretCipher } from './application/secret-cipher.js';
export { SecretReencryption } from './application/secret-reencryption.js';
export { TargetPolicy } from './application/target-policy.js';
export { type WebhookRequest, WebhookSender } from './application/webhook-sender.js';
export { DeliveryTasks } from './delivery/delivery-tasks.js';
export { WEBHOOKS, WebhookAttempts } from './delivery/webhook-attempts.js';
export { DELIVERY_STATUSES, type DeliveryStatus } from './domain/delivery-filter.js';
export type { SendOutcome } from './domain/send-outcome.js';
export { SIGNATURE_HEADER, signatureHeader } from './domain/signature.js';
export { type CheckResult, checkSignature, ownSignature } from './domain/signature-check.js';
export { SigningKey } from './domain/signing-key.js';
export { standardHeaders } from './domain/standard-webhooks.js';
export { ANY_TARGETS, hostOf, PUBLIC_TARGETS, type TargetRules } from './domain/target-rules.js';
export type { WebhookDeliveryEvent } from './domain/webhook-delivery.events.js';
export { deliveryIdOf, WEBHOOK_SCHEDULING, webhookDeliveryDecider } from './domain/webhook-delivery.js';
export type { WebhookEndpointEvent } from './domain/webhook-endpoint.events.js';
export { disablesAt, registerEndpoint, takeAwayAgain, webhookEndpointDecider } from './domain/webhook-endpoint.js';
export type { WebhookReplayEvent } from './domain/webhook-replay.events.js';
export type { RequestedReplay } from './domain/webhook-replay.js';
export { publicAttempt, publicDelivery } from './published/public-delivery.js';
export { publicDisabledSpan, publicEndpoint, publicHealth } from './published/public-endpoint.js';
export { publicReplay } from './published/public-replay.js';
export { type DeliveryDocument, DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
export { endpointListProjection } from './read-models/endpoint-list.js';
export { FirstDelivered } from './read-models/first-delivered.js';
export { ListEndpoints, type ListedEndpoint } from './read-models/list-endpoints.js';
export {
  countDeliveries,
  type DeliverySearch,
  type FoundDeliveries,
  readsFeedIndex,
  SearchDeliveries,
} from './read-models/search-deliveries.js';
export { ListDisabledSpans, ShowEndpoints } from './read-models/show-endpoints.js';
export { webhooksContext } from './webhooks.context.js';
export { WebhooksOptions } from './webhooks.options.js';
