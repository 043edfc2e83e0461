import type { ContractClient } from './contract-client.js';
import type { Discovery } from './discovery.js';

export interface Subject {
  client: ContractClient;
  discovery: Discovery;
  /** Distinguishes this run's references from those of earlier runs. */
  run: string;
}

export interface Check {
  name: string;
  /** Resolves when the implementation behaves, throws `Failed` or `Skipped` otherwise. */
  verify(subject: Subject): Promise<void>;
}
