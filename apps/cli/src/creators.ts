import type { Command } from 'commander';
import { GetBinding } from '#agencies';
import { ReleaseUnknownSlots } from '#creators';
import { type OfAgency, withAgency } from './arguments.js';
import type { Register } from './register.js';

export const addCommands = (creators: Command, register: Register): void =>
  register(
    withAgency(
      creators
        .command('release-slots')
        .description("release the platform's slots of users that this log does not know"),
    ),
    async ({ commands, queries }, { agency }: OfAgency) => {
      const { workspaceId } = await queries.execute(new GetBinding(agency));
      const { released, failed } = await commands.execute(new ReleaseUnknownSlots(agency, workspaceId));
      return { agency_id: agency, released, failed };
    },
  );
