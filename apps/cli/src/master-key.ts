import type { Command } from 'commander';
import { type MasterKeyRotation, RotateMasterKey } from '#privacy';
import { operatorContext } from './operator-context.js';
import { FailedCheck } from './print.js';
import type { Register } from './register.js';

export const addCommands = (masterKey: Command, register: Register): void =>
  register(
    masterKey
      .command('rotate')
      .description('encrypt with MASTER_KEY what MASTER_KEY_PREVIOUS encrypts; run it when all processes have both'),
    async ({ commands }) => resultOf(await commands.execute(new RotateMasterKey(operatorContext()))),
  );

/** The printed result: a failed check if neither key decrypts something; otherwise the JSON has no `unreadable`. */
export const resultOf = (rotation: MasterKeyRotation): object => {
  const { unreadable, ...counts } = rotation;
  return unreadable.length === 0 ? counts : new FailedCheck(asText(rotation), rotation);
};

const asText = ({ rewrapped, reencrypted, unreadable }: MasterKeyRotation): string =>
  [
    `The rotation has ended: ${rewrapped} personal keys and ${reencrypted} webhook secrets were re-encrypted.`,
    'Encrypted with neither master key, and unchanged:',
    ...unreadable.map((id) => `  ${id}`),
  ].join('\n');
