import type { Command } from 'commander';
import { readConfig } from '#configuration';
import { configuredSealKey } from '#stores';
import { Text } from './print.js';
import type { Register } from './register.js';

export const publicKeyCommand = (events: Command, register: Register): void =>
  register.apart(
    events.command('public-key').description('show the key that the seals of the log are checked with'),
    () => async (environment) => {
      const { text, id, pem } = configuredSealKey(readConfig(environment)).publicKey;
      return new Text(pem, { algorithm: 'Ed25519', id, public_key: text, pem });
    },
  );
