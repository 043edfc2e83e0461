import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { MINUTE, SECOND } from '#kernel';
import { DOCUMENT_FIELDS } from '../../../libs/contexts/src/document-fields.fixtures.js';
import { runTool } from '../../support/tool.js';
import { Agency, type KnownAgency } from '../support/agency.js';
import { isSigned, Receiver } from '../support/receiver.js';
import { startService } from '../support/start-service.js';
import { TestClock } from '../support/test-clock.js';

// The tests build on one another: what is served is verified, rebuilt, continued and erased in this order.
jest.setTimeout(120_000);

/** The state of the folder when it was made, which a later build has to show. */
interface Recording {
  /** The service's time, in epoch milliseconds. */
  readonly clock: number;
  /** Its environment, the platform's address apart. */
  readonly environment: Readonly<Record<string, string>>;
  /** As they are stored, sorted. */
  readonly eventTypes: readonly string[];
  readonly agencies: readonly RecordedAgency[];
  /** By the words of a command of the operators' tool, what it printed. */
  readonly printed: Readonly<Record<string, unknown>>;
  readonly endpoint: { readonly url: string; readonly secret: string };
  /** The public id of an event that the endpoint is to be sent again. */
  readonly waitingEvent: string;
  readonly runningScan: string;
  readonly erasedCreator: string;
}

interface RecordedAgency extends KnownAgency {
  /** By path, the body of each success. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly feed: readonly { readonly id: string; readonly sha256: string }[];
}

const FIXTURE = fileURLToPath(new URL('../../fixtures/data-folder-2026-11', import.meta.url));
const recording = JSON.parse(readFileSync(`${FIXTURE}.json`, 'utf8')) as Recording;

const folder = mkdtempSync(join(tmpdir(), 'data-folder-'));
execFileSync('tar', ['-C', folder, '-xzpf', `${FIXTURE}.tar.gz`]);
const dataDir = join(folder, 'data');

/** As they are stored, before any build has opened the folder. */
const storedTypes = (): unknown[] => {
  const log = new DatabaseSync(join(dataDir, 'events.db'), { readOnly: true });
  const types = log.prepare('SELECT type FROM kinds WHERE id IN (SELECT kind FROM events) ORDER BY type').all();
  log.close();
  return types.map(({ type }) => type);
};
const typesAtFirst = storedTypes();

/** The paths of the fields in the documents of each collection that has some, without the id and the position. */
const storedFields = (): ReadonlyMap<string, ReadonlySet<string>> => {
  const documents = new DatabaseSync(join(dataDir, 'documents.db'), { readOnly: true });
  const names = documents.prepare('SELECT name FROM "_collections"').all();
  const fields = new Map<string, ReadonlySet<string>>();
  for (const name of names.map((row) => String(row.name))) {
    const rows = documents.prepare(`SELECT DISTINCT fullkey FROM "${name}", json_tree(_document)`).all();
    const paths = rows.map(({ fullkey }) => String(fullkey).replaceAll(/\[\d+\]/g, ''));
    const collection = name.replace(/_v\d+_\d+$/, '');
    const isField = (path: string) => !['$', '$.id', '$.position'].includes(path);
    const ofDocuments = paths.filter(isField).map((path) => path.slice('$.'.length));
    if (ofDocuments.length > 0) fields.set(collection, new Set([...(fields.get(collection) ?? []), ...ofDocuments]));
  }
  documents.close();
  return fields;
};

const clock = new TestClock();
clock.advance(recording.clock - clock.now());
const service = await startService({ folder, clock, env: recording.environment });

const agencies = recording.agencies.map((recorded) => ({ recorded, agency: Agency.known(service, recorded) }));
const named = (name: string) => {
  const found = agencies.find(({ agency }) => agency.id === `agency_${name}`);
  if (found === undefined) throw new Error(`there is no agency ${name}`);
  return found;
};

const tool = async <Value>(...words: string[]): Promise<Value> => {
  const { status, stdout, stderr } = await runTool([...words, '--json'], {
    DATA_DIR: dataDir,
    ...recording.environment,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
};

const expectTheSameAnswers = async (): Promise<void> => {
  for (const { recorded, agency } of agencies) {
    for (const [path, answer] of Object.entries(recorded.answers)) {
      const { status, text, body } = await agency.api.get(path);
      // D103: fields may be added.
      expect({ path, status, answer: body ?? text }).toMatchObject({ path, status: 200, answer });
    }
  }
};

/** The bytes of each event, as they stand in the pages of the feed. */
const feedBytes = async ({ api }: Pick<Agency, 'api'>): Promise<string[]> => {
  const events: string[] = [];
  for (let after = ''; ; ) {
    const { text, body } = await api.get(`/v1/events?limit=100${after}`);
    const page = text.slice('{"data":['.length, text.lastIndexOf('],"next_cursor"'));
    if (page !== '') events.push(...page.split(/,(?=\{"id":"evt_)/));
    const { next_cursor } = body as { next_cursor: string | null };
    if (next_cursor === null) return events;
    after = `&after=${next_cursor}`;
  }
};

const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

const feedOf = async (agency: Agency) =>
  (await feedBytes(agency)).map((bytes) => ({ id: JSON.parse(bytes).id, sha256: sha256(bytes) }));

const expectTheSameFeeds = async (): Promise<void> => {
  for (const { recorded, agency } of agencies) {
    expect((await feedOf(agency)).slice(0, recorded.feed.length)).toEqual(recorded.feed);
  }
};

const expectIntact = async (): Promise<void> => {
  const verified = await tool<{ seals: number; sealed_events: number }>('events', 'verify');
  expect(verified).toMatchObject({ intact: true, fault_count: 0 });
  expect(verified.seals).toBeGreaterThanOrEqual(3);
  expect(verified.sealed_events).toBeGreaterThan(500);
};

test('only its owner can read the unpacked folder, and its log has every event type of that version', () => {
  const modes = readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(modes).toEqual(modes.map(([name]) => [name, 0o600]));
  expect(typesAtFirst).toEqual(recording.eventTypes);
  expect(recording.eventTypes.length).toBeGreaterThan(100);
});

test('it is served: every answer is the same as before, and the feeds have the same ids and bytes', async () => {
  await service.quiet();
  await expectTheSameAnswers();
  await expectTheSameFeeds();
  for (const [words, printed] of Object.entries(recording.printed)) {
    // D103: fields may be added.
    expect({ words, printed: await tool(...words.split(' ')) }).toMatchObject({ words, printed });
  }
});

test('it is verified, with seals of the present and of the previous master key', expectIntact);

test('its read models are what the log makes of them, before and after they are rebuilt', async () => {
  expect(await tool('projections', 'compare')).toMatchObject({ differences: [] });
  await tool('projections', 'rebuild');
  expect(await tool('projections', 'compare')).toMatchObject({ differences: [] });
  await service.quiet();
  await expectTheSameAnswers();
});

/** The dashboard's own, which no context knows. */
const COUNTED_FOR_PEOPLE = ['calls_by_day', 'refused_requests'];

/** While there is one: a retry leaves the collection empty. */
let fieldsOfDeadLetter: ReadonlySet<string> = new Set();

test('work in progress continues: a scan, a delivery, and an event that was set aside', async () => {
  const { agency: north } = named('north');
  const { platform } = service;
  await platform.changeJob(recording.runningScan, { status: 'completed', leaks_per_handle: 1 });

  const { url, secret } = recording.endpoint;
  const receiver = await Receiver.start(Number(new URL(url).port));
  await service.pass(2 * MINUTE);
  const received = receiver.received.find(({ headers }) => headers['x-svc-event-id'] === recording.waitingEvent);
  if (received === undefined) throw new Error('the delivery that waited was not made');
  expect(isSigned(received, secret, clock.now())).toBe(true);
  const { recorded, agency: quay } = named('quay');
  expect(recorded.feed).toContainEqual({ id: recording.waitingEvent, sha256: sha256(received.body) });
  expect(await north.scanThatIs('completed', recording.runningScan)).toMatchObject({ error_code: null });

  fieldsOfDeadLetter = storedFields().get('set_aside') ?? new Set();
  expect(await tool('projections', 'retry')).toEqual({ retried: 1, set_aside: [] });
  await service.quiet();
  const after = (await quay.api.events()).slice(recorded.feed.length);
  expect(after.map(({ type }) => type)).toEqual(['creator.updated']);
  expect(after[0]?.data.creator?.aliases).toContain('too-large');
  await receiver.stop();
});

test('it is continued: new events are recorded and published after the existing ones', async () => {
  const { recorded, agency } = named('north');
  const { id } = await agency.active({ display_name: 'New Here' });
  const scan = await agency.scan(id);
  await agency.scanThatIs('completed', scan.id);
  await service.pass(SECOND);
  const announced = (await agency.api.events()).slice(recorded.feed.length);
  const ofHers = announced.filter(({ data }) => data.creator_id === id).map(({ type }) => type);
  expect(ofHers).toEqual(expect.arrayContaining(['creator.updated', 'protection.activated', 'scan.completed']));
  await expectTheSameFeeds();
  await expectIntact();
});

test('its documents have the fields that docs/read-models.md lists', async () => {
  const { agency } = named('north');
  expect((await agency.api.enroll(agency.inviteBody())).outcome).toBe('201');
  const stored = new Map([...storedFields(), ['set_aside', fieldsOfDeadLetter]]);
  for (const name of COUNTED_FOR_PEOPLE) stored.delete(name);
  // Collections of that build that the present one no longer has.
  for (const name of ['usage_openings', 'webhook_targets', 'calls_by_hour']) stored.delete(name);
  // Its platform shows nothing that would be left out, and nobody has asked for a statement.
  const missing = new Set(['left_out_records', 'usage_statement_parts']);
  const expected = Object.keys(DOCUMENT_FIELDS).filter((name) => !missing.has(name));
  expect([...stored.keys()].toSorted()).toEqual(expected.toSorted());
  const unlisted = [...stored].flatMap(([collection, paths]) =>
    [...paths].filter((path) => !DOCUMENT_FIELDS[collection]?.includes(path)).map((path) => `${collection}.${path}`),
  );
  expect(unlisted).toEqual([]);
});

test('one of its creators is erased: hidden, unreadable in every file, and the log still verifies', async () => {
  const { agency } = named('north');
  const creator = (await agency.api.roster()).find(({ display_name }) => display_name === 'Iris Calder');
  if (creator === undefined) throw new Error('there is nobody to be erased');
  const [found] = await agency.api.cases(creator.id);
  await tool('privacy', 'erase', '--creator', creator.id, '--yes');
  await service.quiet();

  const gone = [creator.id, recording.erasedCreator];
  for (const id of gone) expect((await agency.api.get(`/v1/creators/${id}`)).outcome).toBe('404 not_found');
  for (const text of ['Iris Calder', found?.url ?? 'no case', 'Canaria Quellstein']) {
    const files = readdirSync(dataDir).filter((name) => readFileSync(join(dataDir, name)).includes(text));
    expect({ text, files }).toEqual({ text, files: [] });
  }
  await expectIntact();
  expect(await tool('projections', 'compare')).toMatchObject({ differences: [] });
});
