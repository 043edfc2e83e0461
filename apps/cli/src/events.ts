import type { Command } from 'commander';
import { historyCommand } from './events-history.js';
import { publicKeyCommand } from './events-public-key.js';
import { sealCommand, sealsCommand } from './events-seals.js';
import { stateCommand } from './events-state.js';
import { verifyCommand } from './events-verify.js';
import type { Register } from './register.js';

export const addCommands = (events: Command, register: Register): void => {
  historyCommand(events, register);
  stateCommand(events, register);
  verifyCommand(events, register);
  sealsCommand(events, register);
  sealCommand(events, register);
  publicKeyCommand(events, register);
};
