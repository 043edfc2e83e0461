/** Payment methods and the plan, as the platform has them. */
export interface BillingAnswer {
  /** False if the platform shows no payment methods. */
  readonly offered: boolean;
  readonly plan: string | null;
  readonly subscription_status: string | null;
  readonly payment_methods: readonly {
    readonly id: string;
    readonly kind: string;
    readonly label: string;
    /** `YYYY-MM`. */
    readonly expires: string | null;
    readonly is_default: boolean;
  }[];
}

export interface BillingPageAnswer {
  readonly url: string;
  readonly expires_at: number;
}
