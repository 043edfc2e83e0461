import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, jest, test } from '@jest/globals';
import { DIST } from '../../support/mains.js';
import { holdingsOf } from '../support/holdings.js';
import { startService } from '../support/start-service.js';

// The samples of /docs, as a reader copies them: only the ids of the examples are replaced by those of things that exist.
const run = promisify(execFile);
const service = await startService();
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Operation {
  readonly operationId: string;
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

const { paths } = (await (await fetch(`${service.url}/docs/openapi.json`)).json()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

test('each operation has samples in curl, TypeScript and Python', () => {
  for (const operation of operations) {
    expect(operation['x-codeSamples'].map(({ label }) => label)).toEqual(['curl', 'TypeScript', 'Python']);
  }
});

/** A separate agency, so that the samples of one language do not repeat those of another. */
const environment = async () => {
  const agency = await service.agency();
  const held = await holdingsOf(service, agency);
  const replaced = {
    wsp_4wf0fs1vreaantzpvk5ncqmegd: held.workspaceId,
    '07e869e9-5ed8-5550-a30f-fe14b96a9372': held.userId,
    scn_13s8g9n0vvbrgvvv6nkyjgr8b3: held.scanId,
    cas_06gb4br11yb8g97tbmbkxmby17: held.caseId,
    dix_2v9qk4m7wze0b8t1x5c3r6n0ay: held.deindexRequestId,
  };
  const ofInvitees = ['resendInvitation', 'removeCreator'];
  return {
    env: { ...process.env, SVC_URL: service.url, SVC_KEY: agency.api.secret },
    sampleOf(label: string, operation: Operation): string {
      const { operationId } = operation;
      const sample = operation['x-codeSamples'].find((each) => each.label === label)?.source ?? '';
      const creatorId = ofInvitees.includes(operationId) ? held.inviteeFor(operationId) : held.creatorId;
      return Object.entries({ ...replaced, crt_01m84shndyfewanvze4qf2ae58: creatorId }).reduce(
        (text, [example, id]) => text.replaceAll(example, id),
        sample,
      );
    },
  };
};

const inCurl = await environment();
test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s succeeds with its sample in curl',
  async (_, operation) => {
    const sample = inCurl.sampleOf('curl', operation).replace('curl ', "curl -sS -w '%{http_code}' -o /dev/null ");
    const { stdout } = await run('bash', ['-c', sample], { env: inCurl.env });
    expect(stdout).toMatch(/^20[012]$/);
  },
);

const inTypeScript = await environment();
const printed = jest.spyOn(console, 'log').mockReturnValue();
const { SVC_URL, SVC_KEY } = inTypeScript.env;
Object.assign(process.env, { SVC_URL, SVC_KEY });
afterAll(() => {
  printed.mockRestore();
  delete process.env.SVC_URL;
  delete process.env.SVC_KEY;
});
test.each(operations.map((operation) => [operation.operationId, operation] as const))(
  '%s succeeds with its sample in TypeScript',
  async (operationId, operation) => {
    const client = pathToFileURL(join(DIST, 'libs/client/src/index.js')).href;
    const file = join(folder, `${operationId}.mts`);
    writeFileSync(file, inTypeScript.sampleOf('TypeScript', operation).replace('@creator-protection/client', client));
    await import(pathToFileURL(file).href);
  },
);

// `requests` is no package of ours: test/clients/run installs it, and names its Python here.
const PYTHON = process.env.SAMPLES_PYTHON;
(PYTHON === undefined ? test.skip : test)(
  'each operation succeeds with its sample in Python (SAMPLES_PYTHON)',
  async () => {
    const inPython = await environment();
    for (const operation of operations) {
      const sample = inPython.sampleOf('Python', operation);
      const { stderr } = await run(String(PYTHON), ['-c', sample], { env: inPython.env });
      expect(stderr).toBe('');
    }
  },
);
