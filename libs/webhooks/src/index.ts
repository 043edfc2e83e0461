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
export { TestEndpoint } from './application/endpoint-test.js';
export { GetDelivery, type ShownDelivery } from './application/get-delivery.js';
export { EndReplay, GetReplay, ListReplays, ReplayDelivery, RequestReplay } from './application/replays.js';
export { SecretCipher, SecretReencryption } from './application/secret-cipher.js';
export { type WebhookRequest, WebhookSender } from './application/signed-sending.js';
export { DeliveryTasks } from './delivery/delivery-tasks.js';
export { WEBHOOKS, WebhooksOptions } from './delivery/webhook-attempts.js';
export type { SendOutcome } from './domain/send-result.js';
export {
  type CheckResult,
  checkSignature,
  ownSignature,
  SIGNATURE_HEADER,
  SigningKey,
  signatureHeader,
  standardHeaders,
} from './domain/signatures.js';
export {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  deliveryIdOf,
  WEBHOOK_SCHEDULING,
  type WebhookDeliveryEvent,
  webhookDeliveryDecider,
} from './domain/webhook-delivery.js';
export type { WebhookEndpointEvent } from './domain/webhook-endpoint.events.js';
export { disablesAt, registerEndpoint, takeAwayAgain, webhookEndpointDecider } from './domain/webhook-endpoint.js';
export type { RequestedReplay, WebhookReplayEvent } from './domain/webhook-replay.js';
export {
  publicAttempt,
  publicDelivery,
  publicDisabledSpan,
  publicEndpoint,
  publicHealth,
  publicReplay,
} from './published/public-webhooks.js';
export { type DeliveryDocument, DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
export { ShowEndpoints, type ShownEndpoint } from './read-models/endpoint-health.js';
export { endpointListProjection, ListEndpoints, type ListedEndpoint } from './read-models/endpoint-list.js';
export { ListDisabledSpans } from './read-models/missed-events.js';
export {
  countDeliveries,
  type DeliverySearch,
  type FoundDeliveries,
  readsFeedIndex,
  SearchDeliveries,
} from './read-models/search-deliveries.js';
export { webhooksContext } from './webhooks.context.js';
