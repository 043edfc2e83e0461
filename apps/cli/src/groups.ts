import type { Command } from 'commander';
import type { Register } from './register.js';

interface Group {
  readonly name: string;
  readonly description: string;
  load(): Promise<{ addCommands(group: Command, register: Register): void }>;
}

export const GROUPS: readonly Group[] = [
  { name: 'agencies', description: 'bind agencies to their owners', load: () => import('./agencies.js') },
  {
    name: 'backup',
    description: 'copy the files of a running installation into a folder, check it, restore it',
    load: () => import('./backup.js'),
  },
  {
    name: 'creators',
    description: 'keep the slots of creators in step with the platform',
    load: () => import('./creators.js'),
  },
  { name: 'events', description: 'read the history', load: () => import('./events.js') },
  { name: 'keys', description: 'issue, list and revoke API keys', load: () => import('./keys.js') },
  { name: 'log', description: 'move the log to other stores', load: () => import('./log-copy.js') },
  {
    name: 'master-key',
    description: 'change the key that all others derive from',
    load: () => import('./master-key.js'),
  },
  {
    name: 'webhooks',
    description: 'register endpoints, and see and repeat deliveries',
    load: () => import('./webhooks.js'),
  },
  {
    name: 'projections',
    description: 'see, rebuild and check the read models',
    load: () => import('./projections/index.js'),
  },
  {
    name: 'privacy',
    description: 'erase or export what is held on a creator',
    load: () => import('./privacy.js'),
  },
  { name: 'usage', description: 'explain what usage consists of', load: () => import('./usage/index.js') },
];
