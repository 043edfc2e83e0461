import type { Command } from 'commander';
import { GetBinding } from '#agencies';
import { ReleaseUnknownSlots } from '#creators';
import { agencyId } from '#kernel';
import type { Register } from './register.js';

interface AgencyOption {
  readonly agency: string;
}

export const addCommands = (creators: Command, register: Register): void => {
  register(
    creators
      .command('release-slots')
      .description('release the slots that the platform lists of users whom this log does not know')
      .requiredOption('--agency <id>', "the platform's agency id"),
    ({ agency }: AgencyOption) =>
      async ({ commands, queries }) => {
        const { workspaceId } = await queries.execute(new GetBinding(agencyId(agency)));
        const { released, failed } = await commands.execute(new ReleaseUnknownSlots(agencyId(agency), workspaceId));
        return { agency_id: agency, released, failed };
      },
  );
};
