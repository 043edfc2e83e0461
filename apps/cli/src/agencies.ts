import type { Command } from 'commander';
import {
  type AgencyDescription,
  BindAgency,
  type Binding,
  DescribeAgency,
  GetBinding,
  ListPaymentMethods,
  OpenBillingPage,
  type PaymentMethod,
} from '#agencies';
import { agencyId } from '#kernel';
import { operatorContext } from './operator-context.js';
import type { Register } from './register.js';

interface AgencyOption {
  readonly agency: string;
}

export const agencyCommands = (agencies: Command, register: Register): void => {
  const withAgency = (name: string, description: string) =>
    agencies.command(name).description(description).requiredOption('--agency <id>', "the platform's agency id");

  register(
    withAgency('bind', 'bind a verified agency to its current owner'),
    ({ agency }: AgencyOption) =>
      async ({ commands }) =>
        shown(await commands.execute(new BindAgency(agencyId(agency), operatorContext()))),
  );
  register(
    withAgency('show', 'show the present binding'),
    ({ agency }: AgencyOption) =>
      async ({ queries }) =>
        shown(await queries.execute(new GetBinding(agencyId(agency)))),
  );
  register(
    withAgency('describe', 'show what the platform says of the agency, and its binding, also while it may not act'),
    ({ agency }: AgencyOption) =>
      async ({ queries }) =>
        described(await queries.execute(new DescribeAgency(agencyId(agency)))),
  );
  register(
    withAgency('billing', 'show how the agency pays; with a return address, open a page to change it').option(
      '--return-url <url>',
      'where the page leads back to',
    ),
    ({ agency, returnUrl }: AgencyOption & { readonly returnUrl?: string }) =>
      async ({ commands, queries }) => {
        const id = agencyId(agency);
        if (returnUrl === undefined) return shownBilling(await queries.execute(new ListPaymentMethods(id)));
        const { url, expiresAt } = await commands.execute(new OpenBillingPage(id, returnUrl));
        return { url, expires_at: expiresAt };
      },
  );
};

const described = ({ native, binding }: AgencyDescription) => ({
  platform: native === 'unavailable' ? 'unavailable' : native === undefined ? 'unknown' : 'known',
  agency:
    native === 'unavailable' || native === undefined
      ? null
      : {
          id: native.id,
          name: native.name,
          onboarding_complete: native.onboardingComplete,
          kyc_status: native.kycStatus,
          owner_user_id: native.ownerUserId,
        },
  binding: binding === undefined ? null : shown(binding),
});

const shownBilling = (methods: readonly PaymentMethod[] | undefined) => ({
  offered: methods !== undefined,
  payment_methods: (methods ?? []).map(({ isDefault, ...method }) => ({ ...method, is_default: isDefault })),
});

const shown = ({ agencyId, workspaceId, epoch, ownerUserId }: Binding) => ({
  agency_id: agencyId,
  workspace_id: workspaceId,
  epoch,
  owner_user_id: ownerUserId,
});
