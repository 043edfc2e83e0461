import type { Command } from 'commander';
import type { Register } from './register.js';

interface Group {
  readonly name: string;
  readonly description: string;
  load(): Promise<(group: Command, register: Register) => void>;
}

export const GROUPS: readonly Group[] = [
  {
    name: 'agencies',
    description: 'bind agencies to their owners',
    load: async () => (await import('./agencies.js')).agencyCommands,
  },
  {
    name: 'backup',
    description: 'copy the files of a running installation into a folder, check it, restore it',
    load: async () => (await import('./backup.js')).backupCommands,
  },
  {
    name: 'creators',
    description: 'keep the slots of creators in step with the platform',
    load: async () => (await import('./creators.js')).creatorCommands,
  },
  {
    name: 'events',
    description: 'read the history',
    load: async () => (await import('./events.js')).eventCommands,
  },
  {
    name: 'keys',
    description: 'issue, list and revoke API keys',
    load: async () => (await import('./keys.js')).keyCommands,
  },
  {
    name: 'log',
    description: 'move the log to other stores',
    load: async () => (await import('./log-copy.js')).logCommands,
  },
  {
    name: 'master-key',
    description: 'change the key that all others derive from',
    load: async () => (await import('./master-key.js')).masterKeyCommands,
  },
  {
    name: 'webhooks',
    description: 'register endpoints, and see and repeat deliveries',
    load: async () => (await import('./webhooks.js')).webhookCommands,
  },
  {
    name: 'projections',
    description: 'see, rebuild and check the read models',
    load: async () => (await import('./projections/index.js')).projectionCommands,
  },
  {
    name: 'privacy',
    description: 'erase or export what is held on a creator',
    load: async () => (await import('./privacy.js')).privacyCommands,
  },
  {
    name: 'usage',
    description: 'explain what usage consists of',
    load: async () => (await import('./usage/index.js')).usageCommands,
  },
];
