import type { ContractClient } from './contract-client.js';
import type { Discovery } from './discovery.js';

export interface Subject {
  client: ContractClient;
  discovery: Discovery;
  /** Distinguishes this run's references from those of earlier runs. */
  run: string;
}

/** Resolves when the implementation behaves, throws `Failed` or `Skipped` otherwise. */
type Verify = (subject: Subject) => Promise<void>;

export interface Check {
  name: string;
  verify: Verify;
}

export const check = (name: string, verify: Verify): Check => ({ name, verify });
