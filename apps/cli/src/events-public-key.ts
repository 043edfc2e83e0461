import type { Command } from 'commander';
import { Text } from './print.js';
import type { Register } from './register.js';
import { ownPublicKey } from './stores/seal-keys.js';

export const publicKeyCommand = (events: Command, register: Register): void =>
  register.apart(
    events.command('public-key').description('show the key that verifies the seals of the log'),
    () => async (environment) => {
      const { text, id, pem } = ownPublicKey(environment);
      return new Text(pem, { algorithm: 'Ed25519', id, public_key: text, pem });
    },
  );
