import { ENROLLMENT_EXAMPLES } from '../../http/creators/creators.examples.js';
import { EXAMPLE } from '../../http/transport/example-values.js';

const { workspaceId, creatorId, scanId, caseId, deindexRequestId } = EXAMPLE;
const LINK = JSON.stringify(ENROLLMENT_EXAMPLES['link a creator of the roster'], null, 2)
  .replaceAll(/"(\w+)":/g, '$1:')
  .replaceAll('"', "'");

/** With the client of this API, by operation. */
const CALLS: Readonly<Record<string, string>> = {
  getConnection: 'const { workspace_id, scopes } = await client.connection.get();',
  getWorkspace: `const workspace = await client.workspaces.get('${workspaceId}');`,
  enrollCreator: `const creator = await client.creators.enroll(${LINK});`,
  listCreators:
    'for await (const creator of client.creators.list()) {\n  console.log(creator.id, creator.eligible);\n}',
  getCreator: `const { eligible, protection_status } = await client.creators.get('${creatorId}');`,
  updateCreator: `const creator = await client.creators.update('${creatorId}', { aliases: ['ivyreyes'] });`,
  removeCreator: `const { enrollment_status } = await client.creators.remove('${creatorId}');`,
  setProtection: `const creator = await client.creators.setProtection('${creatorId}', { status: 'active' });`,
  resendInvitation: `const { email_sent } = await client.creators.resendInvitation('${creatorId}');`,
  queueScan: `// A key of your own survives a crash; without one, the client makes it.
const scan = await client.scans.queue('${creatorId}', { idempotencyKey: 'scan-2026-11-25-talent-1042' });`,
  getScan: `const { status, finished_at } = await client.scans.get('${scanId}');`,
  listCases: `for await (const finding of client.cases.list('${creatorId}')) {\n  console.log(finding.status_code, finding.url);\n}`,
  listActivity: `const newest = await client.creators.activity('${creatorId}').toArray({ limit: 10 });`,
  getReport: `for await (const row of client.creators.report('${creatorId}')) {\n  console.log(row.status_code, row.url);\n}`,
  createDeindexRequest: `const request = await client.deindexing.request('${caseId}', { provider: 'search' });`,
  getDeindexRequest: `const { status, removal_verified } = await client.deindexing.get('${deindexRequestId}');`,
  listImpersonations: `for await (const account of client.impersonations.list('${creatorId}')) {\n  console.log(account.status, account.url);\n}`,
  reportImpersonation: `const account = await client.impersonations.report('${creatorId}', {\n  url: 'https://www.instagram.com/not_ivy_calloway',\n});`,
  getUsage: 'const { creator_months, estimated_total_cents } = await client.usage.get();',
  getCapacity: 'const { available_slots } = await client.usage.capacity();',
  listEvents: `for await (const event of client.events.list()) {\n  console.log(event.id, event.type);\n}`,
};

const CLIENT = `import { CreatorProtection } from '@creator-protection/client';

const { SVC_URL = '', SVC_KEY = '' } = process.env;
const client = new CreatorProtection({ baseUrl: SVC_URL, apiKey: SVC_KEY });
`;

export const TYPESCRIPT_SAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CALLS).map(([operationId, call]) => [operationId, `${CLIENT}\n${call}`]),
);
