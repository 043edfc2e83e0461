import type { Command } from 'commander';
import { type MasterKeyRotation, RotateMasterKey } from '#privacy';
import { operatorContext } from './operator.js';
import { FailedCheck } from './print.js';
import type { Register } from './register.js';

export const addCommands = (masterKey: Command, register: Register): void =>
  register(
    masterKey
      .command('rotate')
      .description(
        're-encrypt with MASTER_KEY everything that MASTER_KEY_PREVIOUS encrypts; run it when all processes have both',
      ),
    async ({ commands }) => resultOf(await commands.execute(new RotateMasterKey(operatorContext()))),
  );

/** The printed result: a failed check if neither key decrypts something. Otherwise the JSON has no `unreadable`. */
export const resultOf = (rotation: MasterKeyRotation): object => {
  const { unreadable, ...counts } = rotation;
  return unreadable.length === 0 ? counts : new FailedCheck(asText(rotation), rotation);
};

const asText = ({ rewrapped, reencrypted, unreadable }: MasterKeyRotation): string =>
  [
    `The rotation has ended: ${rewrapped} personal keys and ${reencrypted} webhook secrets were re-encrypted.`,
    'Unchanged, because neither master key decrypts them:',
    ...unreadable.map((id) => `  ${id}`),
  ].join('\n');
