import type { Command } from 'commander';
import {
  type AgencyDescription,
  BindAgency,
  DescribeAgency,
  GetBinding,
  ListPaymentMethods,
  OpenBillingPage,
  publicAgency,
  publicBinding,
  publicPaymentMethods,
} from '#agencies';
import { agencyId } from '#kernel';
import { operatorContext } from './operator-context.js';
import type { Register } from './register.js';

interface AgencyOption {
  readonly agency: string;
}

export const addCommands = (agencies: Command, register: Register): void => {
  const withAgency = (name: string, description: string) =>
    agencies.command(name).description(description).requiredOption('--agency <id>', "the platform's agency id");

  register(
    withAgency('bind', 'bind a verified agency to its current owner'),
    ({ agency }: AgencyOption) =>
      async ({ commands }) =>
        publicBinding(await commands.execute(new BindAgency(agencyId(agency), operatorContext()))),
  );
  register(
    withAgency('show', 'show the present binding'),
    ({ agency }: AgencyOption) =>
      async ({ queries }) =>
        publicBinding(await queries.execute(new GetBinding(agencyId(agency)))),
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
        if (returnUrl === undefined) return publicPaymentMethods(await queries.execute(new ListPaymentMethods(id)));
        const { url, expiresAt } = await commands.execute(new OpenBillingPage(id, returnUrl));
        return { url, expires_at: expiresAt };
      },
  );
};

const described = ({ native, binding }: AgencyDescription) => ({
  platform: native === 'unavailable' ? 'unavailable' : native === undefined ? 'unknown' : 'known',
  agency: publicAgency(native),
  binding: binding === undefined ? null : publicBinding(binding),
});
