/** Who may import whom. The rules are part of the tests: test/architecture. */

const CONTEXTS = {
  agencies: [],
  creators: ['agencies'],
  scans: ['creators', 'agencies'],
  cases: ['creators', 'agencies'],
  deindexing: ['cases', 'creators', 'agencies'],
  usage: ['agencies'],
  publishing: ['agencies'],
  webhooks: ['publishing', 'agencies'],
  'tamper-evidence': [],
};

const ADAPTERS = 'event-log|document-store|native-platform|personal-keys|webhook-sender';
const NO_SPECS = { pathNot: '\\.(spec|examples)\\.ts$|/contract/|/testing/|^libs/testing/' };

const contextRules = Object.entries(CONTEXTS).map(([context, allowed]) => ({
  name: `${context}-imports-along-the-arrows`,
  severity: 'error',
  from: { path: `^libs/${context}/src`, ...NO_SPECS },
  to: { path: '^libs/', pathNot: `^libs/(${[context, 'kernel', ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'kernel-imports-nobody',
      severity: 'error',
      from: { path: '^libs/kernel/src', ...NO_SPECS },
      to: { path: '^(libs/(?!kernel/)|apps/)' },
    },
    ...contextRules,
    {
      name: 'others-only-through-the-index',
      comment:
        "A lib's index is the only path that others may import; apps may add its handlers, which load Nest, and threads have the kernel's ports.",
      severity: 'error',
      from: { path: '^libs/([^/]+)/src|^apps/', ...NO_SPECS },
      to: { path: '^libs/([^/]+)/src/', pathNot: '^libs/$1/|/src/(index|handlers|ports)\\.ts$' },
    },
    {
      name: 'handlers-are-for-the-api',
      comment: 'Whatever else imports a context does not load Nest with it.',
      severity: 'error',
      from: { pathNot: '^apps/api/' },
      to: { path: '^libs/[^/]+/src/handlers\\.ts$' },
    },
    {
      name: 'libs-do-not-know-apps',
      severity: 'error',
      from: { path: '^libs/', ...NO_SPECS },
      to: { path: '^apps/' },
    },
    {
      name: 'adapters-implement-ports-and-no-more',
      severity: 'error',
      from: { path: `^libs/(${ADAPTERS})/src`, ...NO_SPECS },
      to: { path: `^libs/(processes|read-models|${ADAPTERS})/`, pathNot: '^libs/($1)/' },
    },
    {
      name: 'only-the-composition-knows-adapters',
      severity: 'error',
      from: { path: `^(apps|libs)/`, pathNot: `^apps/composition/|^libs/(${ADAPTERS})/|${NO_SPECS.pathNot}` },
      to: { path: `^libs/(${ADAPTERS})/` },
    },
    {
      name: 'read-models-and-processes-stay-apart',
      severity: 'error',
      from: { path: '^libs/(processes|read-models)/src', ...NO_SPECS },
      to: { path: '^libs/(processes|read-models)/', pathNot: '^libs/$1/' },
    },
    {
      name: 'frameworks-only-in-handlers',
      comment: 'Of a context, only handlers.ts knows Nest; nothing in it knows HTTP or a database.',
      severity: 'error',
      from: { path: `^libs/(kernel|${Object.keys(CONTEXTS).join('|')})/src`, pathNot: '/handlers\\.ts$|\\.spec\\.ts$' },
      to: { path: 'node_modules/(@nestjs|fastify|undici|rxjs|class-validator|class-transformer)' },
    },
    {
      name: 'only-declared-dependencies',
      severity: 'error',
      from: { path: '^(apps|libs)/', ...NO_SPECS },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'] },
    },
    {
      name: 'specs-are-not-imported',
      severity: 'error',
      from: { pathNot: '\\.spec\\.ts$' },
      to: { path: '\\.spec\\.ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'require', 'node', 'default', 'types'],
    },
  },
};
