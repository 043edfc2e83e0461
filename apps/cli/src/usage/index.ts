import type { Command } from 'commander';
import type { Register } from '../program.js';
import { explainCommand } from './explain.js';

export const usageCommands = (usage: Command, register: Register): void => {
  explainCommand(usage, register);
};
