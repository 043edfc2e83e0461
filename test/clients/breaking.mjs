// Checks how oasdiff judges changes to the document: D103 allows some without notice; oasdiff has to refuse the others.
// `node breaking.mjs <oasdiff> <document of 1.0.0> <present document>`
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [oasdiff, released, present] = process.argv.slice(2);
const levels = new URL('./oasdiff-levels.txt', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'breaking-'));

const isRefused = (base, revision) => {
  const options = ['--fail-on', 'ERR', '--severity-levels', levels];
  const { status, stdout, stderr } = spawnSync(oasdiff, ['breaking', base, revision, ...options], { encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`oasdiff ended with ${status}: ${stderr}`);
  return { refused: status === 1, stdout };
};

const schemas = (document) => document.components.schemas;
const cases = (document) => document.paths['/v1/creators/{id}/cases'];

const ALLOWED = {
  'a field of an answer': (document) =>
    Object.assign(schemas(document).Scan.properties, { progress: { type: 'integer' } }),
  'a required field of an answer': (document) => {
    schemas(document).Scan.properties.progress = { type: 'integer' };
    schemas(document).Scan.required.push('progress');
  },
  'a field of the data of events': (document) =>
    Object.assign(schemas(document).Event.properties.data.properties, { note: { type: 'string' } }),
  'a value of an open set': (document) =>
    schemas(document).Case.properties.status_code['x-extensible-enum'].push('appealed'),
  'a type of event': (document) => {
    schemas(document).Event.properties.type['x-extensible-enum'].push('scan.started');
    document.webhooks['scan.started'] = structuredClone(document.webhooks['scan.completed']);
  },
  'an optional field of a request': (document) =>
    Object.assign(schemas(document).EnrollCreatorBody.properties, { note: { type: 'string' } }),
  'an optional parameter': (document) =>
    cases(document).get.parameters.push({ name: 'status', in: 'query', required: false, schema: { type: 'string' } }),
  'a route': (document) => {
    document.paths['/v1/scans'] = {
      get: { ...structuredClone(cases(document).get), operationId: 'listScans', parameters: [] },
    };
  },
  'a detail of errors': (document) =>
    Object.assign(schemas(document).Error.properties.error.properties, { hint: { type: 'string' } }),
  'a code of errors': (document) =>
    schemas(document).Error.properties.error.properties.code['x-extensible-enum'].push('busy'),
};

const REFUSED = {
  'a route that is gone': (document) => Reflect.deleteProperty(document.paths, '/v1/capacity'),
  'a field of an answer that is gone': (document) => {
    const scan = schemas(document).Scan;
    delete scan.properties.svc_job_id;
    scan.required = scan.required.filter((name) => name !== 'svc_job_id');
  },
  'an optional field of an answer that is gone': (document) =>
    Reflect.deleteProperty(schemas(document).Creator.properties, 'email_sent'),
  'another type of a field': (document) =>
    Object.assign(schemas(document).Scan.properties.created_at, { type: 'string' }),
  'a field that can be null now': (document) =>
    Object.assign(schemas(document).Scan.properties.status, { type: ['string', 'null'] }),
  'a field that may be missing now': (document) => schemas(document).Scan.required.pop(),
  'a value more of a closed set': (document) => schemas(document).Scan.properties.status.enum.push('waiting'),
  'a field that a request needs now': (document) => schemas(document).EnrollCreatorBody.required.push('aliases'),
  'a field of a request that is gone': (document) =>
    Reflect.deleteProperty(schemas(document).EnrollCreatorBody.properties, 'locale'),
  'a shorter limit of a request': (document) =>
    Object.assign(schemas(document).EnrollCreatorBody.properties.aliases, { maxItems: 10 }),
  'a status of success that is gone': (document) =>
    Reflect.deleteProperty(document.paths['/v1/creators'].post.responses, '201'),
  'another operation id': (document) => Object.assign(cases(document).get, { operationId: 'listFindings' }),
  'a scope more': (document) => cases(document).get.security[0].apiKey.push('scans:read'),
};

const changed = (name, change) => {
  const document = JSON.parse(readFileSync(present, 'utf8'));
  change(document);
  const file = join(folder, `${name.replaceAll(' ', '-')}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
};

const faults = [];
const sinceRelease = isRefused(released, present);
if (sinceRelease.refused) faults.push(`The document breaks the one of 1.0.0:\n${sinceRelease.stdout}`);
for (const [name, change] of Object.entries(ALLOWED)) {
  const { refused, stdout } = isRefused(present, changed(name, change));
  if (refused) faults.push(`refused, although D103 allows it: ${name}\n${stdout}`);
}
for (const [name, change] of Object.entries(REFUSED)) {
  if (!isRefused(present, changed(name, change)).refused) faults.push(`not refused: ${name}`);
}
rmSync(folder, { recursive: true });
process.stdout.write(`${Object.keys(ALLOWED).length} changes allowed, ${Object.keys(REFUSED).length} refused\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exit(faults.length === 0 ? 0 : 1);
