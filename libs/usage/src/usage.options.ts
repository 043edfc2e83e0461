import type { Pricing } from './domain/estimate.js';

/** What this context needs of the configuration. */
export abstract class UsageOptions {
  /** The price that estimates, explanations and statements calculate with. */
  abstract readonly pricing: Pricing;
}
