import { Injectable } from '@nestjs/common';
import { AgencyAccess, type Binding, postponement } from '#agencies';
import { type VisibilityRule, VisibleEvents } from '#event-feed';
import { DeadLetters } from '#jobs';
import {
  type AgencyId,
  type Cause,
  ClockWatch,
  type CommandContext,
  DomainError,
  type Duration,
  holds,
  type Instant,
  processContext,
  SECOND,
  type TaskOutcome,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WorkspaceId,
} from '#kernel';
import {
  type LoadedDelivery,
  type LoadedEndpoint,
  WebhookDeliveryRepository,
  WebhookEndpointRepository,
} from '../application/repositories.js';
import { SignedSending } from '../application/signed-sending.js';
import {
  MAX_SUSPENSION,
  type PendingDelivery,
  postponeDelivery,
  type RevocationReason,
  recordAttempt,
  revokeDelivery,
  type WebhookDelivery,
  type WebhookDeliveryEvent,
} from '../domain/webhook-delivery.js';
import { type RegisteredEndpoint, resume, suspend, type WebhookEndpoint } from '../domain/webhook-endpoint.js';

export abstract class WebhooksOptions {
  /** The waits between attempts, in milliseconds (D60). */
  abstract readonly backoff: readonly Duration[];
}

/** A request that was sent. Until `record` has ended it may be sent again. */
export interface SentAttempt {
  readonly isDelivered: boolean;
  readonly record: () => Promise<unknown>;
}

export type AttemptOutcome =
  | SentAttempt
  /** Nothing was sent: the delivery has ended or was postponed, is not due, or is unknown to this process. */
  | TaskOutcome
  /** Nothing may be sent for the agency before then. */
  | { readonly suspendedUntil: Instant };

export const WEBHOOKS = 'webhooks';

type Pending = LoadedDelivery<PendingDelivery>;

/** Facts shared by all deliveries that start together for one endpoint. */
interface SharedFacts {
  readonly endpoint: LoadedEndpoint;
  readonly binding: Binding | DomainError;
  readonly visibility: VisibilityRule;
  readonly published: Awaited<ReturnType<VisibleEvents['read']>>;
}

@Injectable()
export class WebhookAttempts {
  constructor(
    private readonly events: VisibleEvents,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly access: AgencyAccess,
    private readonly sending: SignedSending,
    private readonly deadLetters: DeadLetters,
    private readonly clocks: ClockWatch,
    private readonly options: WebhooksOptions,
  ) {}

  /** A promise for each, in the order of the ids. Access is checked last. Rejects if shared facts cannot be read. */
  async attempt(
    endpointId: WebhookEndpointId,
    deliveryIds: readonly WebhookDeliveryId[],
    now: Instant,
  ): Promise<readonly Promise<AttemptOutcome>[]> {
    const loaded = await this.deliveries.loadAll(deliveryIds);
    const due = loaded
      .filter((delivery) => holds(delivery, isPending))
      .filter((delivery) => this.waitOf(delivery) === 0);
    const isDue = new Set<LoadedDelivery>(due);
    const shared = await this.sharedFacts(endpointId, due);
    return loaded.map(async (delivery): Promise<AttemptOutcome> => {
      const { state, cause } = delivery;
      if (state.status === 'unknown' || cause === null) return { retryAt: now + SECOND };
      if (!holds(delivery, isPending)) return 'done';
      if (shared === undefined || !isDue.has(delivery)) return { retryAt: now + this.waitOf(delivery) };
      return this.deliver(delivery, shared, now, contextOf(delivery.state.workspaceId, cause));
    });
  }

  /** A delivery that could not be attempted waits for an operator (D67). */
  async recordDeadLetter(deliveryId: WebhookDeliveryId, error: unknown): Promise<void> {
    const { state, cause } = await this.deliveries.load(deliveryId);
    if (state.status === 'unknown' || cause === null) return;
    const deadLetter = { runner: WEBHOOKS, part: null, item: { kind: 'delivery', deliveryId } } as const;
    await this.deadLetters.record(deadLetter, error, { ...cause, workspaceId: state.workspaceId });
  }

  /** Not by the wall clock alone: no attempt is earlier than the last one and the wait after it (D93). */
  private waitOf({ position, at, state }: Pending): Duration {
    return this.clocks.remainingFor({ position, at }, state.dueAt - at);
  }

  private async sharedFacts(endpointId: WebhookEndpointId, due: readonly Pending[]): Promise<SharedFacts | undefined> {
    const [first] = due;
    if (first?.cause == null) return undefined;
    const { workspaceId, agencyId } = first.state;
    const revisions = due.map(({ state }) => state.feedRevision);
    const published = await this.events.read(workspaceId, revisions);
    const [endpoint, binding] = await Promise.all([this.endpoints.load(endpointId), this.bindingOf(agencyId)]);
    const isSent = holds(endpoint, isActive) && !(binding instanceof DomainError);
    if (isSent && endpoint.state.suspendedSince !== null) {
      await this.endpoints.update(endpoint, contextOf(workspaceId, first.cause), resume);
    }
    const visibility = await this.events.ruleFor(isSent ? due.map(({ state }) => state.creatorId) : []);
    return { endpoint, binding, visibility, published };
  }

  private async deliver(
    delivery: Pending,
    { endpoint, binding, visibility, published }: SharedFacts,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    const decide = async (decision: (state: WebhookDelivery, at: Instant) => WebhookDeliveryEvent[]) => {
      await this.deliveries.update(delivery, context, decision);
      return 'done' as const;
    };
    const revoke = (reason: RevocationReason) => decide((state) => revokeDelivery(state, reason));
    if (!holds(endpoint, isActive)) return revoke('endpoint_disabled');
    if (binding instanceof DomainError) return this.suspendEndpoint(delivery, endpoint, binding, now, context);
    if (endpoint.state.epoch < binding.epoch) return revoke('access_revoked');
    const { eventId, feedRevision, attempts } = delivery.state;
    const event = visibility(delivery.state, published.get(feedRevision));
    switch (event.kind) {
      case 'missing':
        return decide((state, at) => postponeDelivery(state, event.since, at));
      case 'unreadable':
        // The task is retried, because an operator may restore the key (D71).
        throw event.error;
      case 'ended':
        return revoke('access_revoked');
      case 'erased':
        return revoke('erased');
      case 'visible': {
        const { result, retryAfter } = await this.sending.send(endpoint.state, eventId, Buffer.from(event.bytes));
        const attempted = { attempt: attempts + 1, result, retryAfter };
        const backoff = { waits: this.options.backoff, jitter: 2 * Math.random() - 1 };
        const record = () => decide((state, at) => recordAttempt(state, attempted, backoff, at));
        return { isDelivered: result.error === null, record };
      }
    }
  }

  private async bindingOf(agencyId: AgencyId): Promise<Binding | DomainError> {
    try {
      return (await this.access.verify(agencyId)).binding;
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** D62: uses no attempt, and ends after 72 hours. */
  private async suspendEndpoint(
    delivery: Pending,
    endpoint: LoadedEndpoint,
    refusal: DomainError,
    now: Instant,
    context: CommandContext,
  ): Promise<AttemptOutcome> {
    const { state, position } = await this.endpoints.update(endpoint, context, (current) =>
      suspend(current, refusal.code),
    );
    const since = state.status === 'unknown' ? null : state.suspendedSince;
    if (since === null) return { suspendedUntil: now + postponement(refusal) };
    // Since it is suspended, and since the delivery is due.
    const left = Math.max(
      this.clocks.remainingFor({ position, at: since }, MAX_SUSPENSION),
      this.clocks.remainingFor(delivery, delivery.state.dueAt - delivery.at + MAX_SUSPENSION),
    );
    if (left > 0) return { suspendedUntil: now + postponement(refusal) };
    await this.deliveries.update(delivery, context, (current, _, last) =>
      last === delivery.position ? revokeDelivery(current, 'agency_denied') : [],
    );
    return 'done';
  }
}

const isPending = (delivery: WebhookDelivery): delivery is PendingDelivery => delivery.status === 'pending';

const isActive = (endpoint: WebhookEndpoint): endpoint is RegisteredEndpoint => endpoint.status === 'active';

const contextOf = (workspaceId: WorkspaceId, cause: Cause): CommandContext =>
  processContext(WEBHOOKS, workspaceId, cause);
