import { againstRaw } from './against-raw.js';
import type { SandboxReady } from './processes/sandbox.js';
import { startProcess } from './processes/start-process.js';
import type { ValidatedPostReady } from './processes/validated-post-api.js';
import type { ValidatedPostRawSettings } from './processes/validated-post-raw.js';

/** What a bench may take of `/openapi.json`. */
interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/**
 * Answers a second to an authenticated POST with a body that is checked, against Fastify with Ajv and the same hooks:
 * key, count in the document store, headers, log line, metrics, on both sides the same code. The route is the one with
 * the largest body, `POST /v1/creators`; its command is answered by a stand-in, so that nothing is measured of what a
 * store or the platform costs. What the service has on top: the agency's verification, scopes, the check by the DTO's
 * decorators, the reading of profile URLs, the fingerprint, Nest's router, the command bus, and the public shape.
 */
export default {
  name: 'a validated authenticated POST, against raw Fastify with Ajv and the same hooks',
  wanted: 0.45,
  async run(dir: string) {
    const sandbox = await startProcess<SandboxReady>('sandbox', dir, { agencyId: 'agency_bench', creators: 1 });
    const api = await startProcess<ValidatedPostReady>('validated-post-api', dir, { dir, sandbox: sandbox.ready });
    const { key, workspaceId } = api.ready;
    const body = JSON.stringify(enrollment(workspaceId));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answered = await fetch(`${api.ready.url}/v1/creators`, { method: 'POST', headers, body });
    if (answered.status !== 200) throw new Error(`the service answers ${answered.status}: ${await answered.text()}`);
    const settings: ValidatedPostRawSettings = {
      dir,
      sandbox: sandbox.ready,
      schema: await schemaOf(api.ready.url, 'EnrollCreatorBody'),
      answer: (await answered.json()) as object,
    };
    const raw = await startProcess<{ url: string }>('validated-post-raw', dir, settings);
    const requests = [{ method: 'POST' as const, path: '/v1/creators', headers, body }];
    const figures = await againstRaw(dir, api.ready.url, raw.ready.url, requests);
    for (const started of [api, raw, sandbox]) await started.stop();
    return figures;
  },
};

const schemaOf = async (url: string, name: string): Promise<object> => {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`the document has no ${name}`);
  return schema;
};

/** About as long as bodies come: several names and profiles. */
const enrollment = (workspaceId: string) => ({
  workspace_id: workspaceId,
  external_id: 'creator-4711',
  display_name: 'Jane Example',
  aliases: ['Jane E.', 'Janie', 'jane official', 'jane example', 'J. Example'],
  profile_urls: [
    'https://onlyfans.com/jane_example',
    'https://www.instagram.com/jane.example',
    'https://x.com/janeexample',
    'https://www.tiktok.com/@jane.example',
    'https://fansly.com/jane_example',
  ],
  email: 'jane@example.com',
  first_name: 'Jane',
  last_name: 'Example',
  locale: 'en',
});
