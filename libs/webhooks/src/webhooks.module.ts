import { Module } from '@nestjs/common';
import { AgenciesModule } from '#agencies/module';
import { EventFeedModule } from '#event-feed/module';
import { readModelProvider } from '#projections';
import { AdvanceReplayHandler } from './application/advance-replay.js';
import { AwaitTestResultHandler } from './application/await-test-result.js';
import { CheckSignatureHandler } from './application/check-signature.js';
import { ChooseEventTypesHandler } from './application/choose-event-types.js';
import { DisableEndpointHandler } from './application/disable-endpoint.js';
import { EnableEndpointHandler } from './application/enable-endpoint.js';
import { EndReplayHandler } from './application/end-replay.js';
import { EndpointLimits } from './application/endpoint-limits.js';
import { FailPendingDeliveriesHandler } from './application/fail-pending-deliveries.js';
import { GetDeliveryHandler } from './application/get-delivery.js';
import { GetEndpointHandler } from './application/get-endpoint.js';
import { GetReplayHandler } from './application/get-replay.js';
import { ListReplaysHandler } from './application/list-replays.js';
import { RegisterEndpointHandler } from './application/register-endpoint.js';
import { ReplayDeliveryHandler } from './application/replay-delivery.js';
import { RequestReplayHandler } from './application/request-replay.js';
import { RequestTestHandler } from './application/request-test.js';
import { RotateSecretHandler } from './application/rotate-secret.js';
import { SecretReencryption } from './application/secret-reencryption.js';
import { SendPingHandler } from './application/send-ping.js';
import { SignedSending } from './application/signed-sending.js';
import { WebhookDeliveryRepository } from './application/webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './application/webhook-endpoint.repository.js';
import { WebhookReplayRepository } from './application/webhook-replay.repository.js';
import { DeliveryTasks } from './delivery/delivery-tasks.js';
import { WebhookAttempts } from './delivery/webhook-attempts.js';
import { FailingEndpoints } from './delivery/webhook-scheduling.js';
import { DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
import { EndpointHealths, endpointHealthProjection } from './read-models/endpoint-health.js';
import { EndpointList, endpointListProjection } from './read-models/endpoint-list.js';
import { FirstDeliveredHandler } from './read-models/first-delivered.js';
import { ListEndpointsHandler } from './read-models/list-endpoints.js';
import { MissedEvents, missedEventsProjection } from './read-models/missed-events.js';
import { SearchDeliveriesHandler } from './read-models/search-deliveries.js';
import { ListDisabledSpansHandler, ShowEndpointsHandler } from './read-models/show-endpoints.js';
import { webhooksContext } from './webhooks.context.js';

@Module({
  imports: [AgenciesModule, EventFeedModule],
  providers: [
    readModelProvider(EndpointList, endpointListProjection),
    readModelProvider(DeliveryList, deliveryListProjection),
    readModelProvider(EndpointHealths, endpointHealthProjection),
    readModelProvider(MissedEvents, missedEventsProjection),
    WebhookDeliveryRepository,
    WebhookEndpointRepository,
    EndpointLimits,
    SecretReencryption,
    SignedSending,
    RegisterEndpointHandler,
    RotateSecretHandler,
    ChooseEventTypesHandler,
    DisableEndpointHandler,
    EnableEndpointHandler,
    RequestTestHandler,
    SendPingHandler,
    AwaitTestResultHandler,
    GetEndpointHandler,
    ListEndpointsHandler,
    ReplayDeliveryHandler,
    FailPendingDeliveriesHandler,
    FirstDeliveredHandler,
    SearchDeliveriesHandler,
    WebhookReplayRepository,
    RequestReplayHandler,
    AdvanceReplayHandler,
    EndReplayHandler,
    GetReplayHandler,
    ListReplaysHandler,
    GetDeliveryHandler,
    ShowEndpointsHandler,
    ListDisabledSpansHandler,
    CheckSignatureHandler,
    WebhookAttempts,
    DeliveryTasks,
    FailingEndpoints,
    ...Object.values(webhooksContext.consumers),
  ],
  exports: [DeliveryList, SecretReencryption, WebhookAttempts, DeliveryTasks],
})
export class WebhooksModule {}
