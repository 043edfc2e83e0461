import { type Check, Discovery } from './check.js';
import { accessChecks } from './checks/access.js';
import { agencyChecks } from './checks/agency.js';
import { billingChecks } from './checks/billing.js';
import { invitationChecks } from './checks/invitations.js';
import { pagingChecks } from './checks/paging.js';
import { reportChecks } from './checks/reports.js';
import { scanJobChecks } from './checks/scan-jobs.js';
import { slotChecks } from './checks/slots.js';
import { ContractClient, type ServiceAddress, Skipped } from './contract-client.js';

export const checks: readonly Check[] = [
  ...accessChecks,
  ...agencyChecks,
  ...billingChecks,
  ...slotChecks,
  ...pagingChecks,
  ...scanJobChecks,
  ...invitationChecks,
  ...reportChecks,
];

export interface CheckResult {
  name: string;
  result: 'pass' | 'fail' | 'skipped';
  reason?: string;
}

/** The address of all three services, except those that have a separate one. */
export interface Target extends ServiceAddress {
  engine?: ServiceAddress | undefined;
  search?: ServiceAddress | undefined;
  agency?: string | undefined;
}

/** One at a time, in order: some checks compare what the agency holds before and after. */
export async function* runChecks(target: Target, chosen: readonly Check[] = checks): AsyncGenerator<CheckResult> {
  const { url, token, engine, search } = target;
  const platform = { url, token };
  const client = new ContractClient({ platform, engine: engine ?? platform, search: search ?? platform });
  const discovery = new Discovery(client, target.agency);
  const run = `conf-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
  for (const { name, verify } of chosen) yield { name, ...(await outcomeOf(() => verify({ client, discovery, run }))) };
}

async function outcomeOf(verify: () => Promise<void>): Promise<Omit<CheckResult, 'name'>> {
  try {
    await verify();
    return { result: 'pass' };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { result: error instanceof Skipped ? 'skipped' : 'fail', reason };
  }
}
