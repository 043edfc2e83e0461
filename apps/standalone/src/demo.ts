import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { readDemo } from './demo-file.js';

/** Walks through the main job against what `npm start` runs, and shows each step as an agency's backend would see it. */

const { url, key } = demoOrExit();

type Json = Record<string, unknown>;
interface Answer {
  readonly status: number;
  readonly body: Json;
}

step('Who is calling', 'GET /v1/me');
const me = await call('GET', '/v1/me');
const partner = me.body.partner as Json;
show(`${partner.name} (${partner.id}), workspace ${me.body.workspace_id}`);

step('The roster, shared with the agency dashboard', 'GET /v1/creators?limit=100');
const roster = (await call('GET', '/v1/creators?limit=100')).body.data as Json[];
table(roster, ['display_name', 'external_id', 'protection_status', 'eligible']);
const chosen = roster.find(isFresh) ?? roster.find(({ eligible }) => eligible === true);
if (chosen === undefined) throw new Error('no creator of the roster is eligible');

step(`Enroll ${chosen.display_name} under the agency's own id`, 'POST /v1/creators');
const enrolled = await call('POST', '/v1/creators', {
  workspace_id: me.body.workspace_id,
  external_id: `demo-${String(chosen.svc_user_id).slice(0, 8)}`,
  display_name: chosen.display_name,
  svc_user_id: chosen.svc_user_id,
});
const { id } = enrolled.body;
show(`${enrolled.status}: ${id} is ${enrolled.body.enrollment_status}, protection ${enrolled.body.protection_status}`);

step('A fresh look before activating', `GET /v1/creators/${id}`);
const fresh = await call('GET', `/v1/creators/${id}`);
show(`eligible: ${fresh.body.eligible}, searched for as ${(fresh.body.profile_urls as string[]).join(', ')}`);

step('Switch protection on; the usage meter starts', `PUT /v1/creators/${id}/protection`);
const active = await call('PUT', `/v1/creators/${id}/protection`, { status: 'active' });
show(`protection is ${active.body.protection_status}`);

const before = await lastEventId();
step('Queue a scan', `POST /v1/creators/${id}/scans`);
const queued = await call('POST', `/v1/creators/${id}/scans`, {}, `demo-${Date.now()}`);
show(`${queued.status}: ${queued.body.id} is ${queued.body.status}`);

step('Follow it', `GET /v1/scans/${queued.body.id}`);
const scan = await follow(String(queued.body.id));
show(`finished with job ${scan.svc_job_id}`);

step('Read the findings', `GET /v1/creators/${id}/cases?limit=100`);
const cases = (await call('GET', `/v1/creators/${id}/cases?limit=100`)).body.data as Json[];
table(cases, ['id', 'source', 'status_code', 'url']);
show(`${cases.filter(({ scan_id }) => scan_id === scan.id).length} of ${cases.length} were found by this scan`);

step('What happened since, in the order of the feed', 'GET /v1/events');
table(await eventsUntil(`scan.${scan.status}`, before), ['id', 'type']);

step('Switch protection off; the meter stops', `PUT /v1/creators/${id}/protection`);
const paused = await call('PUT', `/v1/creators/${id}/protection`, { status: 'paused' });
show(`protection is ${paused.body.protection_status}`);

function demoOrExit() {
  const dataDir = process.env.DATA_DIR ?? './data';
  try {
    return readDemo(dataDir);
  } catch {
    process.stderr.write(`No demo.json in ${dataDir}: run npm start first, with the same DATA_DIR.\n`);
    process.exit(1);
  }
}

async function call(method: string, path: string, body?: Json, idempotencyKey?: string): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  if (response.ok) return { status: response.status, body: answer };
  const { code, message } = answer.error as Json;
  process.stderr.write(`${method} ${path} was answered ${response.status} ${code}: ${message}\n`);
  process.exit(1);
}

async function follow(scanId: string): Promise<Json> {
  for (let seen: unknown; ; await delay(200)) {
    const { body } = await call('GET', `/v1/scans/${scanId}`);
    if (body.status !== seen) show(`${body.status}`);
    seen = body.status;
    if (body.finished_at !== null) return body;
  }
}

/** The feed follows the answers: an event may come a moment later. */
async function eventsUntil(type: string, after: string): Promise<Json[]> {
  for (;;) {
    const events = (await call('GET', `/v1/events?limit=100${after}`)).body.data as Json[];
    if (events.some((event) => event.type === type)) return events;
    await delay(200);
  }
}

/** The end of the feed, as a query for what follows. */
async function lastEventId(): Promise<string> {
  for (let after = ''; ; ) {
    const { body } = await call('GET', `/v1/events?limit=100${after}`);
    const last = (body.data as Json[]).at(-1)?.id;
    if (last !== undefined) after = `&after=${last}`;
    if (body.next_cursor === null) return after;
    after = `&after=${body.next_cursor}`;
  }
}

function isFresh({ eligible, external_id }: Json): boolean {
  return eligible === true && String(external_id).startsWith('svc:');
}

function step(title: string, request: string): void {
  process.stdout.write(`\n${styleText('bold', title)}  ${styleText('dim', request)}\n`);
}

function show(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

function table(rows: readonly Json[], columns: readonly string[]): void {
  const cells = rows.map((row) => columns.map((column) => String(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((cell) => cell[index]?.length ?? 0)),
  );
  const line = (cell: readonly string[]) => cell.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ');
  show(styleText('dim', line(columns)));
  for (const cell of cells) show(line(cell));
}
