import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler, type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type AgencyId, DomainError, type Effect, type Instant } from '#kernel';
import type { PaymentMethod, PaymentMethods } from '../domain/agency.js';

export interface BillingPage {
  readonly url: string;
  readonly expiresAt: Instant;
}

export interface BillingPageRequest {
  /** The call's idempotency key; each page has a different one. */
  readonly reference: string;
  readonly returnUrl: string;
}

export const NOT_OFFERED = 'not_offered';

/** A platform may lack it. */
export abstract class AgencyBilling {
  /** Undefined if the platform does not offer it. */
  abstract listPaymentMethods(agencyId: AgencyId): Promise<readonly PaymentMethod[] | undefined>;
  /** Refused with `not_offered` if the platform does not offer it. */
  abstract createBillingSession(agencyId: AgencyId, request: BillingPageRequest): Promise<Effect<BillingPage>>;
}

/** The agency's payment methods as the platform has them now. */
export class ListPaymentMethods extends Query<PaymentMethods> {
  constructor(readonly agencyId: AgencyId) {
    super();
  }
}

@QueryHandler(ListPaymentMethods)
export class ListPaymentMethodsHandler implements IQueryHandler<ListPaymentMethods> {
  constructor(private readonly billing: AgencyBilling) {}

  async execute({ agencyId }: ListPaymentMethods): Promise<PaymentMethods> {
    const methods = await this.billing.listPaymentMethods(agencyId);
    return { isOffered: methods !== undefined, methods: methods ?? [] };
  }
}

/** Opens a page of the platform that leads back to `returnUrl`; `not_found` if the platform has none. Nothing is recorded. */
export class OpenBillingPage extends Command<BillingPage> {
  constructor(
    readonly agencyId: AgencyId,
    readonly returnUrl: string,
  ) {
    super();
  }
}

@CommandHandler(OpenBillingPage)
export class OpenBillingPageHandler implements ICommandHandler<OpenBillingPage> {
  constructor(private readonly billing: AgencyBilling) {}

  async execute({ agencyId, returnUrl }: OpenBillingPage): Promise<BillingPage> {
    const effect = await this.billing.createBillingSession(agencyId, { reference: randomUUID(), returnUrl });
    if (effect.outcome === 'done') return effect.value;
    // A page that was created but not answered expires unused.
    if (effect.outcome === 'unknown') throw effect.error;
    if (effect.code === NOT_OFFERED) throw new DomainError('not_found');
    throw new DomainError('provider_invalid_response', { cause: new Error(`the page was refused: ${effect.code}`) });
  }
}
