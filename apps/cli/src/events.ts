import type { Command } from 'commander';
import { historyCommand } from './events-history.js';
import { stateCommand } from './events-state.js';
import type { Register } from './program.js';

export const eventCommands = (events: Command, register: Register): void => {
  historyCommand(events, register);
  stateCommand(events, register);
};
