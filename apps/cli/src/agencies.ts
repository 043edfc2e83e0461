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
import { type OfAgency, withAgency } from './arguments.js';
import { operatorContext } from './operator.js';
import type { Register } from './register.js';

export const addCommands = (agencies: Command, register: Register): void => {
  const ofAgency = (name: string, description: string) => withAgency(agencies.command(name).description(description));

  register(
    ofAgency('bind', 'bind a verified agency to its current owner'),
    async ({ commands }, { agency }: OfAgency) =>
      publicBinding(await commands.execute(new BindAgency(agency, operatorContext()))),
  );
  register(ofAgency('show', 'show the current binding'), async ({ queries }, { agency }: OfAgency) =>
    publicBinding(await queries.execute(new GetBinding(agency))),
  );
  register(
    ofAgency('describe', "show the platform's record of the agency and its binding, even if it may not act"),
    async ({ queries }, { agency }: OfAgency) => described(await queries.execute(new DescribeAgency(agency))),
  );
  register(
    ofAgency('billing', 'show how the agency pays; with a return address, open a page to change it').option(
      '--return-url <url>',
      'the address that the page returns to',
    ),
    async ({ commands, queries }, { agency, returnUrl }: OfAgency & { readonly returnUrl?: string }) => {
      if (returnUrl === undefined) return publicPaymentMethods(await queries.execute(new ListPaymentMethods(agency)));
      const { url, expiresAt } = await commands.execute(new OpenBillingPage(agency, returnUrl));
      return { url, expires_at: expiresAt };
    },
  );
};

const described = ({ native, binding }: AgencyDescription) => ({
  platform: native === 'unavailable' ? 'unavailable' : native === undefined ? 'unknown' : 'known',
  agency: publicAgency(native),
  binding: binding === undefined ? null : publicBinding(binding),
});
