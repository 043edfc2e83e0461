export interface PaymentMethod {
  readonly id: string;
  /** `card`, `sepa_debit`, `paypal`; others may occur. */
  readonly kind: string;
  /** For people, such as the brand and the last four digits; never a full number. */
  readonly label: string;
  /** `YYYY-MM`. */
  readonly expires: string | null;
  readonly isDefault: boolean;
}

export interface PaymentMethods {
  /** Whether the platform offers them. */
  readonly isOffered: boolean;
  readonly methods: readonly PaymentMethod[];
}
