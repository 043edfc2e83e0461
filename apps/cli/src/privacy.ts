import type { Command } from 'commander';
import type { CreatorId } from '#kernel';
import { ErasePersonalData, ExportPersonalData, PreviewErasure } from '#privacy';
import { creatorOf } from './arguments.js';
import { type Operator, operatorContext } from './operator.js';
import type { Register } from './register.js';

interface CreatorOption {
  readonly creator: CreatorId;
}

export const addCommands = (privacy: Command, register: Register): void => {
  register(
    privacy
      .command('erase')
      .description("make a creator's personal data permanently unreadable; without --yes, show what would be erased")
      .requiredOption('--creator <crt>', 'the creator', creatorOf)
      .option('--yes', 'erase; without this option nothing changes'),
    (operator, { creator, yes }: CreatorOption & { readonly yes?: true }) =>
      yes ? erase(operator, creator) : preview(operator, creator),
  );
  register(
    privacy
      .command('export')
      .description('print all data about a creator in readable form')
      .requiredOption('--creator <crt>', 'the creator', creatorOf),
    ({ queries }, { creator }: CreatorOption) => queries.execute(new ExportPersonalData(creator)),
  );
};

const preview = async ({ queries }: Operator, creatorId: CreatorId) => {
  const { isErased, personalKey, membership, protection, becomesUnreadable } = await queries.execute(
    new PreviewErasure(creatorId),
  );
  return {
    creator_id: creatorId,
    erased: isErased,
    personal_key: personalKey,
    membership,
    protection,
    becomes_unreadable: becomesUnreadable,
    note: isErased
      ? 'nothing was changed; the erasure is already recorded; if it was interrupted, repeat with --yes to finish it'
      : 'nothing was changed; --yes ends the membership and protection, and cannot be undone',
  };
};

const erase = async ({ commands, runners }: Operator, creatorId: CreatorId) => {
  const { erasedAt, becameUnreadable } = await runners.rebuilding(() =>
    commands.execute(new ErasePersonalData(creatorId, operatorContext())),
  );
  return { creator_id: creatorId, erased: true, erased_at: erasedAt, became_unreadable: becameUnreadable };
};
