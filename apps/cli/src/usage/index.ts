import type { Command } from 'commander';
import type { Register } from '../register.js';
import { checkCommand } from './check.js';
import { explainCommand } from './explain.js';
import { statementCommand } from './statement.js';

export const addCommands = (usage: Command, register: Register): void => {
  explainCommand(usage, register);
  statementCommand(usage, register);
  checkCommand(usage, register);
};
