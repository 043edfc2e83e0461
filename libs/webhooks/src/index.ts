export { CheckSignature } from './application/check-signature.js';
export {
  ChooseEventTypes,
  chosenTypes,
  DisableEndpoint,
  EnableEndpoint,
  GetEndpoint,
  RegisterEndpoint,
  RotateSecret,
} from './application/endpoint-commands.js';
export { AwaitTestResult, RequestTest } from './application/endpoint-test.js';
export { GetDelivery, type ShownDelivery } from './application/get-delivery.js';
export { TargetPolicy, type WebhookRequest, WebhookSender } from './application/outside.js';
export { ReplayDelivery } from './application/replay-delivery.js';
export { EndReplay, GetReplay, ListReplays, RequestReplay } from './application/replays.js';
export { SecretCipher, SecretReencryption } from './application/secret-cipher.js';
export { DeliveryTasks } from './delivery/delivery-tasks.js';
export { WEBHOOKS, WebhookAttempts } from './delivery/webhook-attempts.js';
export type { SendOutcome } from './domain/send-result.js';
export { type CheckResult, checkSignature, ownSignature } from './domain/signature-check.js';
export { SIGNATURE_HEADER, SigningKey, signatureHeader, standardHeaders } from './domain/signing-key.js';
export { ANY_TARGETS, hostOf, PUBLIC_TARGETS, type TargetRules } from './domain/target-rules.js';
export { DELIVERY_STATUSES, type DeliveryStatus, type WebhookDeliveryEvent } from './domain/webhook-delivery.events.js';
export { deliveryIdOf, WEBHOOK_SCHEDULING, webhookDeliveryDecider } from './domain/webhook-delivery.js';
export type { WebhookEndpointEvent } from './domain/webhook-endpoint.events.js';
export { disablesAt, registerEndpoint, takeAwayAgain, webhookEndpointDecider } from './domain/webhook-endpoint.js';
export type { WebhookReplayEvent } from './domain/webhook-replay.events.js';
export type { RequestedReplay } from './domain/webhook-replay.js';
export {
  publicAttempt,
  publicDelivery,
  publicDisabledSpan,
  publicEndpoint,
  publicHealth,
  publicReplay,
} from './published/public-webhooks.js';
export {
  type DeliveryDocument,
  DeliveryList,
  deliveryListProjection,
  FirstDelivered,
} from './read-models/delivery-list.js';
export { endpointListProjection } from './read-models/endpoint-list.js';
export {
  countDeliveries,
  type DeliverySearch,
  type FoundDeliveries,
  readsFeedIndex,
  SearchDeliveries,
} from './read-models/search-deliveries.js';
export { ListDisabledSpans, ListEndpoints, type ListedEndpoint, ShowEndpoints } from './read-models/show-endpoints.js';
export { webhooksContext } from './webhooks.context.js';
export { WebhooksOptions } from './webhooks.options.js';
