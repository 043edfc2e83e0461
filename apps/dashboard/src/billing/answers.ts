interface PaymentMethodAnswer {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  /** `YYYY-MM`. */
  readonly expires: string | null;
  readonly is_default: boolean;
}

/** How the agency pays, as the platform has it. */
export interface BillingAnswer {
  /** False: this platform shows no payment methods. */
  readonly offered: boolean;
  readonly plan: string | null;
  readonly subscription_status: string | null;
  readonly payment_methods: readonly PaymentMethodAnswer[];
}

export interface BillingPageAnswer {
  readonly url: string;
  readonly expires_at: number;
}
