import { ENROLLMENT_EXAMPLES, EXAMPLE } from '../../http/resources.examples.js';

const { workspaceId, creatorId, scanId, caseId, deindexRequestId } = EXAMPLE;
const LINK = JSON.stringify(ENROLLMENT_EXAMPLES['link a platform user'], null, 2)
  .replaceAll(/"(\w+)":/g, '$1:')
  .replaceAll('"', "'");

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
  queueScan: `// Your own key survives a crash; without one, the client generates a key.
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

const TYPESCRIPT_SAMPLES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CALLS).map(([operationId, call]) => [operationId, `${CLIENT}\n${call}`]),
);

export interface SampledOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly schema?: { readonly example?: string } }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples?: Readonly<Record<string, { readonly value: object }>> }>
    >;
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: object | undefined;
  readonly isText: boolean;
}

/** `x-codeSamples` of an operation. They read the address and the key from the environment. */
export const codeSamples = (method: string, path: string, operation: SampledOperation) => {
  const call = callOf(method, path, operation);
  const typescript = TYPESCRIPT_SAMPLES[operation.operationId];
  return [
    { lang: 'Shell', label: 'curl', source: curl(call) },
    ...(typescript === undefined ? [] : [{ lang: 'TypeScript', label: 'TypeScript', source: typescript }]),
    { lang: 'Python', label: 'Python', source: python(call) },
  ];
};

const callOf = (
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: SampledOperation,
): Call => {
  const exampleOf = (name: string) => parameters.find((parameter) => parameter.name === name)?.schema?.example;
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return {
    method: method.toUpperCase(),
    path: path.replace('{id}', exampleOf('id') ?? ''),
    key: exampleOf('Idempotency-Key'),
    body: example?.value,
    isText: operationId === 'getReport',
  };
};

const curl = ({ method, path, key, body }: Call): string => {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SVC_URL${path}"`,
    '-H "Authorization: Bearer $SVC_KEY"',
    ...(key === undefined ? [] : [`-H 'Idempotency-Key: ${key}'`]),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body, null, 2)}'`]),
  ];
  return lines.join(' \\\n  ');
};

/** The bodies contain only texts and lists, which are written in Python as in JSON. */
const python = ({ method, path, key, body, isText }: Call): string => `import os
import requests

response = requests.${method.toLowerCase()}(
    os.environ["SVC_URL"] + "${path}",
    headers={
        "Authorization": "Bearer " + os.environ["SVC_KEY"],${key === undefined ? '' : `\n        "Idempotency-Key": "${key}",`}
    },${body === undefined ? '' : `\n    json=${JSON.stringify(body, null, 4).replaceAll('\n', '\n    ')},`}
    timeout=30,
)
response.raise_for_status()
print(response.${isText ? 'text' : 'json()'})`;
