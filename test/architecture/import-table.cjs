/** Who may import whom, type imports included. .dependency-cruiser.cjs makes rules of it. */

/** Modules that every context may import. */
const ENGINES = ['kernel', 'jobs', 'projections'];

/** The bounded contexts, each with the others that it may import. */
const CONTEXTS = {
  agencies: [],
  creators: ['agencies'],
  impersonations: ['creators', 'agencies'],
  usage: ['creators', 'agencies'],
  cases: ['creators', 'agencies'],
  scans: ['cases', 'creators', 'agencies'],
  deindexing: ['cases', 'creators', 'agencies'],
  // The contexts whose events it announces.
  'event-feed': ['scans', 'deindexing', 'cases', 'impersonations', 'creators'],
  webhooks: ['event-feed', 'agencies', 'personal-data'],
};
const ALL_CONTEXTS = Object.keys(CONTEXTS);

/** The kernel, the ports that each implements and the records in them, and what adapters share. */
const ADAPTERS = {
  'event-log': ['kernel', 'threads'],
  'document-store': ['kernel', 'threads', 'mongodb-connection'],
  'key-store': ['kernel', 'personal-data', 'mongodb-connection'],
  'native-platform': ['kernel', 'agencies', 'creators', 'impersonations', 'cases', 'scans', 'deindexing'],
  'webhook-sender': ['kernel', 'webhooks'],
};

/** For each lib, all the others that it may import. */
const MAY_IMPORT = {
  kernel: [],
  jobs: ['kernel'],
  projections: ['kernel', 'jobs'],
  ...Object.fromEntries(Object.entries(CONTEXTS).map(([context, others]) => [context, [...ENGINES, 'csv', ...others]])),
  contexts: [...ENGINES, ...ALL_CONTEXTS],
  privacy: [...ENGINES, 'tamper-evidence', 'personal-data', 'contexts', ...ALL_CONTEXTS],
  audit: [...ENGINES, 'csv', 'tamper-evidence', 'personal-data', 'contexts', ...ALL_CONTEXTS],
  'tamper-evidence': ['kernel', 'jobs'],
  'personal-data': ['kernel', 'jobs'],
  configuration: ['kernel'],
  observability: ['kernel', 'configuration'],
  stores: [
    ...['kernel', 'configuration', 'tamper-evidence', 'personal-data'],
    ...['event-log', 'document-store', 'key-store'],
  ],
  relocation: ['kernel', 'personal-data', 'contexts', ...ALL_CONTEXTS],
  dashboard: ['kernel', 'agencies'],
  http: ['kernel', 'configuration', 'agencies', 'creators', 'usage'],
  csv: ['kernel'],
  threads: ['kernel'],
  'mongodb-connection': ['kernel'],
  ...ADAPTERS,
  // A package that agencies install.
  client: [],
};

/** The folders of a context, each with the others that it may import. */
const LAYERS = {
  domain: [],
  'read-models': ['domain'],
  application: ['read-models', 'domain'],
  published: ['read-models', 'domain'],
  // Publishing and delivery are loops, with a folder next to the processes.
  'processes|publishing|delivery': ['processes', 'publishing', 'delivery', 'application', 'read-models', 'domain'],
};

/**
 * The folders of apps that open stores: what all apps share, and of the tool its container and the commands that work on
 * a log or a key store without the container.
 */
const STORE_ROOTS = ['apps/service', 'apps/cli/src/stores'];

module.exports = { ADAPTERS, CONTEXTS, ENGINES, LAYERS, MAY_IMPORT, STORE_ROOTS };
