/** Who may import whom: the rules of test/architecture/import-table.cjs, and a few more. They are part of the tests. */
const {
  ADAPTERS,
  CONTEXTS,
  ENGINES,
  LAYERS,
  MAY_IMPORT,
  STORE_ROOTS,
} = require('./test/architecture/import-table.cjs');

const oneOf = (names) => `(?:${names.join('|')})`;
const ADAPTER = oneOf(Object.keys(ADAPTERS));
const CONTEXT = oneOf(Object.keys(CONTEXTS));
const TESTS = '\\.(spec|fixtures)\\.tsx?$|/contract/|/testing/|^libs/testing/|^test/';
const PAGE = 'apps/dashboard/web';
/** The types of the server's answers to the page. */
const ANSWERS = '^apps/dashboard/answers/';
const NO_TESTS = { pathNot: TESTS };

const byTheTable = Object.entries(MAY_IMPORT).map(([lib, allowed]) => ({
  name: `${lib}-imports-by-the-table`,
  severity: 'error',
  from: { path: `^libs/${lib}/src`, pathNot: [TESTS] },
  to: { path: '^(libs|apps)/', pathNot: [`^libs/${oneOf([lib, ...allowed])}/`] },
}));

const alongTheLayers = Object.entries(LAYERS).map(([layer, allowed]) => ({
  name: `${layer.split('|')[0]}-imports-along-the-layers`,
  severity: 'error',
  from: { path: `^libs/(${CONTEXT})/src/(${layer})/`, pathNot: [TESTS] },
  to: { path: '^libs/$1/src/[^/]+/', pathNot: [`^libs/$1/src/${oneOf(['$2', ...allowed])}/`] },
}));

const noCyclesOfTypes = {
  name: 'no-cycles-of-types-either',
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: [TESTS] },
  to: { circular: true },
};

const storesAreForRoots = {
  name: 'stores-are-for-roots',
  severity: 'error',
  from: { path: '^apps/', pathNot: [TESTS, ...STORE_ROOTS.map((folder) => `^${folder}/`)] },
  to: { path: '^libs/stores/' },
};

const dashboard = [
  {
    name: 'dashboard-is-for-roots',
    severity: 'error',
    from: {
      path: '^apps/',
      pathNot: [TESTS, '^apps/dashboard/', '^apps/(api/src/api|standalone/src/standalone)\\.ts$'],
    },
    to: { path: '^apps/dashboard/src/' },
  },
  {
    name: 'dashboard-knows-no-other-app',
    comment: 'Only the tokens of what all apps share; what it shares with the API is libs/http.',
    severity: 'error',
    from: { path: '^apps/dashboard/src/', ...NO_TESTS },
    to: { path: '^apps/', pathNot: '^apps/dashboard/(src|answers)/|^apps/service/src/tokens\\.ts$' },
  },
];

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...byTheTable,
    ...alongTheLayers,
    noCyclesOfTypes,
    storesAreForRoots,
    ...dashboard,
    {
      name: 'domain-knows-only-the-kernel',
      comment: 'Of other contexts it may have types.',
      severity: 'error',
      from: { path: `^libs/(${CONTEXT})/src/domain/`, ...NO_TESTS },
      to: { path: '^libs/', pathNot: `^libs/(?:$1|kernel)/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'domain-has-no-types-of-engines',
      severity: 'error',
      from: { path: `^libs/${CONTEXT}/src/domain/`, ...NO_TESTS },
      to: { path: '^libs/', pathNot: `^libs/(?:${CONTEXT}|kernel)/` },
    },
    {
      name: 'audits-are-for-apps',
      severity: 'error',
      from: { path: '^libs/([^/]+)/', pathNot: TESTS },
      to: { path: '^libs/(audit|privacy)/', pathNot: '^libs/$1/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '^(apps|libs)/', ...NO_TESTS },
      to: { path: '^libs/testing/|\\.fixtures\\.ts$' },
    },
    {
      name: 'testing-does-without-adapters',
      comment: 'The stores in memory use what the adapters of their port share, and run the contract suite.',
      severity: 'error',
      from: { path: '^libs/testing/', pathNot: '\\.spec\\.ts$' },
      to: { path: `^libs/${ADAPTER}/`, pathNot: '^libs/(event-log|document-store)/src/(?!index\\.)[a-z-]+\\.ts$' },
    },
    {
      name: 'others-only-through-the-index',
      comment:
        "A lib's index is the only path that others may import; modules import modules, and threads have the kernel's ports.",
      severity: 'error',
      from: { path: '^libs/([^/]+)/src|^apps/', ...NO_TESTS },
      to: { path: '^libs/([^/]+)/src/', pathNot: '^libs/$1/|/src/(index|ports|[a-z-]+\\.module)\\.ts$' },
    },
    {
      name: 'repositories-stay-inside',
      comment: 'Only the use cases of its context append to a stream; others send commands.',
      severity: 'error',
      from: { path: '^libs/.+/index\\.ts$' },
      to: { path: '\\.repository\\.ts$' },
    },
    {
      name: 'modules-are-for-modules',
      comment: 'Only what the container is made of imports a module: a class that needs a service gets it injected.',
      severity: 'error',
      from: { pathNot: `^apps/|\\.module\\.ts$|${TESTS}` },
      to: { path: '^libs/[^/]+/src/[a-z-]+\\.module\\.ts$' },
    },
    { name: 'libs-do-not-know-apps', severity: 'error', from: { path: '^libs/', ...NO_TESTS }, to: { path: '^apps/' } },
    {
      name: 'only-roots-know-adapters',
      severity: 'error',
      from: { path: `^(apps|libs)/`, pathNot: `^apps/service/|^libs/stores/|^libs/${ADAPTER}/|${TESTS}` },
      to: { path: `^libs/${ADAPTER}/` },
    },
    {
      name: 'domain-knows-no-framework',
      comment: 'Rules, and the shapes that leave a context, are plain TypeScript.',
      severity: 'error',
      from: {
        path: `^libs/(kernel/src/(?!.*module)|${oneOf(Object.keys(CONTEXTS))}/src/(domain|published)/)`,
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: 'node_modules/@nestjs' },
    },
    {
      name: 'contexts-know-no-transport',
      comment: 'A context knows of Nest what makes modules and handlers; it knows neither HTTP nor a database.',
      severity: 'error',
      from: {
        path: `^libs/${oneOf([...ENGINES, 'tamper-evidence', ...Object.keys(CONTEXTS)])}/src`,
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: 'node_modules/(@nestjs/(?!common|cqrs)|fastify|undici|rxjs|class-validator|class-transformer)' },
    },
    {
      name: 'tests-open-the-service-in-their-support',
      comment: 'What starts the apps and wires them may change: then only test/support changes with it.',
      severity: 'error',
      from: { path: '^test/', pathNot: '^test/support/' },
      to: { path: '^apps/(?!platform-sandbox/)' },
    },
    {
      name: 'the-page-is-apart',
      comment:
        'The page of the dashboard runs in a browser: it has nothing of the service but the types of its answers, which import nothing else.',
      severity: 'error',
      from: { path: [`^${PAGE}/`, ANSWERS] },
      to: { path: '^(apps|libs)/', pathNot: [`^${PAGE}/`, ANSWERS] },
    },
    {
      name: 'nothing-imports-the-page',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: `^${PAGE}/` },
      to: { path: `^${PAGE}/` },
    },
    {
      name: 'only-declared-dependencies',
      comment: 'What the page imports is bundled when it is built.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: [TESTS, `^${PAGE}/`] },
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
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
