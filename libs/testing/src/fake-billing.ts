import type { AgencyBilling, BillingPage, PaymentMethod } from '#agencies';
import type { AgencyId, Effect } from '#kernel';

/** How agencies pay, in memory. */
export class FakeBilling implements AgencyBilling {
  /** Undefined: not offered. */
  methods: readonly PaymentMethod[] | undefined = [];
  /** Answers in place of a page. */
  failure: Effect<BillingPage> | undefined;
  readonly references: string[] = [];

  async listPaymentMethods(): Promise<readonly PaymentMethod[] | undefined> {
    return this.methods;
  }

  async createBillingSession(
    agencyId: AgencyId,
    { reference, returnUrl }: { readonly reference: string; readonly returnUrl: string },
  ): Promise<Effect<BillingPage>> {
    this.references.push(reference);
    if (this.failure !== undefined) return this.failure;
    if (this.methods === undefined) return { outcome: 'refused', code: 'not_offered' };
    const url = `https://pay.example/${agencyId}?back=${encodeURIComponent(returnUrl)}`;
    return { outcome: 'done', value: { url, expiresAt: 1_000 } };
  }
}
