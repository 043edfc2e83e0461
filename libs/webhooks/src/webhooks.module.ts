import { Module } from '@nestjs/common';
import { AgencyAccess } from '#agencies';
import { AgenciesModule } from '#agencies/module';
import { Creators } from '#creators';
import { CreatorsModule } from '#creators/module';
import { Leases, SetAsides } from '#jobs';
import {
  Caches,
  Clock,
  CommandRunner,
  DocumentStore,
  type Duration,
  EventLog,
  Logger,
  type Position,
  Progress,
  SECOND,
} from '#kernel';
import { READ_MODELS, ReadModels, readModelProvider } from '#projections';
import { WebhookSender } from './application/ports.js';
import { SecretCipher } from './application/secret-cipher.js';
import { WebhookDeliveries } from './application/webhook-deliveries.js';
import { WebhookEndpoints } from './application/webhook-endpoints.js';
import { WebhookAttempts } from './delivery/webhook-attempts.js';
import { WebhookDispatch } from './delivery/webhook-dispatch.js';
import { WebhookScheduling } from './delivery/webhook-scheduling.js';
import { DisabledEndpoints } from './processes/disabled-endpoints.js';
import { FailingEndpoints } from './processes/failing-endpoints.js';
import { WebhookTests } from './processes/webhook-tests.js';
import { DeliveryList, deliveryListProjection } from './read-models/delivery-list.js';
import { EndpointList, endpointListProjection } from './read-models/endpoint-list.js';
import { WebhooksOptions } from './webhooks.options.js';

/** How long a job waits until the read models show all that the log holds, in milliseconds. */
const CAUGHT_UP_WITHIN: Duration = 5 * SECOND;

@Module({
  imports: [AgenciesModule, CreatorsModule],
  providers: [
    readModelProvider(EndpointList, endpointListProjection),
    {
      provide: DeliveryList,
      useFactory: (readModels: ReadModels, endpoints: EndpointList) =>
        new DeliveryList(readModels.of(deliveryListProjection), endpoints),
      inject: [ReadModels, EndpointList],
    },
    WebhookEndpoints,
    WebhookDeliveries,
    {
      provide: WebhookAttempts,
      useFactory: (
        log: EventLog,
        runner: CommandRunner,
        access: AgencyAccess,
        creators: Creators,
        sender: WebhookSender,
        cipher: SecretCipher,
        setAsides: SetAsides,
        { backoff }: WebhooksOptions,
        caches: Caches,
      ) => {
        const jitter = () => 2 * Math.random() - 1;
        return new WebhookAttempts(log, runner, access, creators, sender, cipher, setAsides, {
          backoff,
          jitter,
          caches,
        });
      },
      inject: [
        EventLog,
        CommandRunner,
        AgencyAccess,
        Creators,
        WebhookSender,
        SecretCipher,
        SetAsides,
        WebhooksOptions,
        Caches,
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
      useFactory: (runner: CommandRunner, backlog: DeliveryList, progress: Progress, logger: Logger) => {
        const shows = (position: Position, timeout: Duration) => progress.passed([READ_MODELS], position, timeout);
        return new FailingEndpoints(runner, backlog, shows, logger);
      },
      inject: [CommandRunner, DeliveryList, Progress, Logger],
    },
    {
      provide: WebhookScheduling,
      useFactory: (runner: CommandRunner, documents: DocumentStore, log: EventLog, failing: FailingEndpoints) =>
        new WebhookScheduling(runner, documents, log, failing),
      inject: [CommandRunner, DocumentStore, EventLog, FailingEndpoints],
    },
    {
      provide: DisabledEndpoints,
      useFactory: (runner: CommandRunner, backlog: DeliveryList, log: EventLog, progress: Progress) => {
        const caughtUp = async () => progress.passed([READ_MODELS], await log.head(), CAUGHT_UP_WITHIN);
        return new DisabledEndpoints(runner, backlog, caughtUp);
      },
      inject: [CommandRunner, DeliveryList, EventLog, Progress],
    },
    {
      provide: WebhookTests,
      useFactory: (runner: CommandRunner, access: AgencyAccess, attempts: WebhookAttempts) =>
        new WebhookTests(runner, access, attempts),
      inject: [CommandRunner, AgencyAccess, WebhookAttempts],
    },
  ],
  exports: [
    EndpointList,
    DeliveryList,
    WebhookEndpoints,
    WebhookDeliveries,
    WebhookAttempts,
    WebhookDispatch,
    WebhookScheduling,
  ],
})
export class WebhooksModule {}
