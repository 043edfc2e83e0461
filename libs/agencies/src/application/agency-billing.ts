import type { AgencyId, Effect, Instant } from '#kernel';
import type { PaymentMethod } from '../domain/payment-methods.js';

export interface BillingPage {
  readonly url: string;
  readonly expiresAt: Instant;
}

export interface BillingPageRequest {
  /** The key of the call; another one for each page. */
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
