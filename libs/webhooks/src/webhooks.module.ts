import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { VisibleEvents } from '#event-feed';
import { EventFeedModule } from '#event-feed/module';
import { Leases, SetAsides } from '#jobs';
import { Clock, DocumentStore, type Duration, EventLog, Logger, type Position, Progress, SECOND } from '#kernel';
import { READ_MODELS, readModelProvider } from '#projections';
import { DisableEndpointHandler } from './application/disable-endpoint.js';
import { EnableEndpointHandler } from './application/enable-endpoint.js';
import { FailPendingDeliveriesHandler } from './application/fail-pending-deliveries.js';
import { GetEndpointHandler } from './application/get-endpoint.js';
import { RecoverEndpointHandler } from './application/recover-endpoint.js';
import { RegisterEndpointHandler } from './application/register-endpoint.js';
import { ReplayDeliveryHandler } from './application/replay-delivery.js';
import { RequestTestHandler } from './application/request-test.js';
import { RotateSecretHandler } from './application/rotate-secret.js';
import { SecretReencryption } from './application/secret-reencryption.js';
import { SendPingHandler } from './application/send-ping.js';
import { SignedSending } from './application/signed-sending.js';
import { WebhookDeliveryRepository } from './application/webhook-delivery.repository.js';
import { WebhookEndpointRepository } from './application/webhook-endpoint.repository.js';
import { FailingEndpoints } from './delivery/failing-endpoints.js';
import { WebhookAttempts } from './delivery/webhook-attempts.js';
import { WebhookDispatch } from './delivery/webhook-dispatch.js';
import { WebhookScheduling } from './delivery/webhook-scheduling.js';
import { DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
import { EndpointList, endpointListProjection } from './read-models/endpoint-list.js';
import { ListDeliveriesHandler } from './read-models/list-deliveries.js';
import { ListEndpointsHandler } from './read-models/list-endpoints.js';
import { webhooksContext } from './webhooks.context.js';
import { WebhooksOptions } from './webhooks.options.js';

/** How long `FailPendingDeliveries` waits until the read models show all that the log holds, in milliseconds. */
const CATCH_UP_TIMEOUT: Duration = 5 * SECOND;

@Module({
  imports: [AgenciesModule, EventFeedModule],
  providers: [
    readModelProvider(EndpointList, endpointListProjection),
    readModelProvider(DeliveryList, deliveryListProjection),
    WebhookDeliveryRepository,
    WebhookEndpointRepository,
    SecretReencryption,
    SignedSending,
    RegisterEndpointHandler,
    RotateSecretHandler,
    DisableEndpointHandler,
    EnableEndpointHandler,
    RequestTestHandler,
    SendPingHandler,
    GetEndpointHandler,
    ListEndpointsHandler,
    ReplayDeliveryHandler,
    RecoverEndpointHandler,
    ListDeliveriesHandler,
    {
      provide: WebhookAttempts,
      useFactory: (
        events: VisibleEvents,
        deliveries: WebhookDeliveryRepository,
        endpoints: WebhookEndpointRepository,
        access: AgencyAccess,
        sending: SignedSending,
        setAsides: SetAsides,
        { backoff }: WebhooksOptions,
      ) => {
        const jitter = () => 2 * Math.random() - 1;
        const options = { backoff, jitter };
        return new WebhookAttempts(events, deliveries, endpoints, access, sending, setAsides, options);
      },
      inject: [
        VisibleEvents,
        WebhookDeliveryRepository,
        WebhookEndpointRepository,
        AgencyAccess,
        SignedSending,
        SetAsides,
        WebhooksOptions,
      ],
    },
    {
      provide: WebhookDispatch,
      useFactory: (backlog: DeliveryList, attempts: WebhookAttempts, leases: Leases, clock: Clock, logger: Logger) =>
        new WebhookDispatch(backlog, attempts, leases, clock, logger),
      inject: [DeliveryList, WebhookAttempts, Leases, Clock, Logger],
    },
    {
      provide: FailingEndpoints,
      useFactory: (endpoints: WebhookEndpointRepository, list: EndpointList, progress: Progress, logger: Logger) => {
        const shows = (position: Position, timeout: Duration) => progress.passed([READ_MODELS], position, timeout);
        return new FailingEndpoints(endpoints, list, shows, logger);
      },
      inject: [WebhookEndpointRepository, EndpointList, Progress, Logger],
    },
    {
      provide: WebhookScheduling,
      useFactory: (
        deliveries: WebhookDeliveryRepository,
        documents: DocumentStore,
        log: EventLog,
        failing: FailingEndpoints,
      ) => new WebhookScheduling(deliveries, documents, log, failing),
      inject: [WebhookDeliveryRepository, DocumentStore, EventLog, FailingEndpoints],
    },
    {
      provide: FailPendingDeliveriesHandler,
      useFactory: (
        endpoints: WebhookEndpointRepository,
        deliveries: WebhookDeliveryRepository,
        backlog: DeliveryList,
        log: EventLog,
        progress: Progress,
        clock: Clock,
      ) => {
        const caughtUp = async () => progress.passed([READ_MODELS], await log.head(), CATCH_UP_TIMEOUT);
        return new FailPendingDeliveriesHandler(endpoints, deliveries, backlog, caughtUp, clock);
      },
      inject: [WebhookEndpointRepository, WebhookDeliveryRepository, DeliveryList, EventLog, Progress, Clock],
    },
    ...Object.values(webhooksContext.dueJobs),
  ],
  exports: [DeliveryList, SecretReencryption, WebhookAttempts, WebhookDispatch],
})
export class WebhooksModule {}
