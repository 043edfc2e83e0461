import type { Command } from 'commander';
import { historyCommand } from './events-history.js';
import { sealCommand, sealsCommand } from './events-seals.js';
import { stateCommand } from './events-state.js';
import { verifyCommand } from './events-verify.js';
import { Text } from './print.js';
import type { Register } from './register.js';
import { ownPublicKey } from './stores/seal-keys.js';

export const addCommands = (events: Command, register: Register): void => {
  historyCommand(events, register);
  stateCommand(events, register);
  verifyCommand(events, register);
  sealsCommand(events, register);
  sealCommand(events, register);
  register.apart(
    events.command('public-key').description('show the key that verifies the seals of the log'),
    async (environment) => {
      const { text, id, pem } = ownPublicKey(environment);
      return new Text(pem, { algorithm: 'Ed25519', id, public_key: text, pem });
    },
  );
};
