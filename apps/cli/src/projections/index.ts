import type { Command } from 'commander';
import type { Register } from '../register.js';
import { compareCommand } from './compare.js';
import { rebuildCommand } from './rebuild.js';
import { retryCommand } from './retry.js';
import { statusCommand } from './status.js';

export const addCommands = (projections: Command, register: Register): void => {
  statusCommand(projections, register);
  rebuildCommand(projections, register);
  compareCommand(projections, register);
  retryCommand(projections, register);
};
