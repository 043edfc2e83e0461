import type { Pricing } from '#usage';

export abstract class AuditOptions {
  /** The price that explanations and statements calculate with. */
  abstract readonly pricing: Pricing;
}
