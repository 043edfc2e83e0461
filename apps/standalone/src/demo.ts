import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type AnyEvent, CreatorProtection, CreatorProtectionError, type FullCreator, type Scan } from '#client';
import { readDemo } from './demo-file.js';

/** Walks through the main job on the service that `npm start` runs, as an agency's backend would see it. */

const DEMO = 'demo-';

const { url, key } = demoOrExit();
const client = new CreatorProtection({ baseUrl: url, apiKey: key });

try {
  await walk();
} catch (error) {
  if (!(error instanceof CreatorProtectionError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function walk(): Promise<void> {
  step('Who is calling', 'GET /v1/me');
  const me = await client.connection.get();
  show(`${me.partner.name} (${me.partner.id}), workspace ${me.workspace_id}`);

  step('The roster, shared with the agency dashboard', 'GET /v1/creators?limit=100');
  const roster = await client.creators.list().toArray();
  table(roster, ['display_name', 'external_id', 'protection_status', 'eligible']);
  const id = await enroll(String(me.workspace_id), roster);

  step('A fresh look before activating', `GET /v1/creators/${id}`);
  const fresh = await client.creators.get(id);
  show(`eligible: ${fresh.eligible}, searched for as ${fresh.profile_urls.join(', ')}`);

  step('Switch protection on; the usage meter starts', `PUT /v1/creators/${id}/protection`);
  const active = await client.creators.setProtection(id, { status: 'active' });
  show(`protection is ${active.protection_status}`);

  await findLeaks(id);

  step('Switch protection off; the meter stops', `PUT /v1/creators/${id}/protection`);
  const paused = await client.creators.setProtection(id, { status: 'paused' });
  show(`protection is ${paused.protection_status}`);
}

async function enroll(workspaceId: string, roster: readonly FullCreator[]): Promise<string> {
  const eligible = roster.filter((creator) => creator.eligible);
  const chosen = eligible.find(isFresh) ?? eligible.find(isOfDemo);
  if (!chosen?.svc_user_id) throw new Error('no creator on the roster is eligible');
  step(`Enroll ${chosen.display_name} under the agency's own id`, 'POST /v1/creators');
  const { data, response } = await client.creators
    .enroll({
      workspace_id: workspaceId,
      external_id: `${DEMO}${chosen.svc_user_id.slice(0, 8)}`,
      display_name: chosen.display_name,
      svc_user_id: chosen.svc_user_id,
    })
    .withResponse();
  show(`${response.status}: ${data.id} is ${data.enrollment_status}, protection ${data.protection_status}`);
  return data.id;
}

async function findLeaks(creatorId: string): Promise<void> {
  const after = (await client.events.list().toArray()).at(-1)?.id;
  step('Queue a scan', `POST /v1/creators/${creatorId}/scans`);
  const { data: queued, response } = await client.scans.queue(creatorId).withResponse();
  show(`${response.status}: ${queued.id} is ${queued.status}`);

  step('Follow it', `GET /v1/scans/${queued.id}`);
  const scan = await followScan(queued.id);
  show(`finished with job ${scan.svc_job_id}`);

  step('Read the findings', `GET /v1/creators/${creatorId}/cases?limit=100`);
  const cases = await client.cases.list(creatorId).toArray();
  table(cases, ['id', 'source', 'status_code', 'url']);
  show(`${cases.filter(({ scan_id }) => scan_id === scan.id).length} of ${cases.length} were found by this scan`);

  step('What happened since, in the order of the feed', 'GET /v1/events');
  const events: AnyEvent[] = [];
  for await (const event of client.events.follow({ ...(after && { after }), pollInterval: 200 })) {
    events.push(event);
    if (event.type === `scan.${scan.status}`) break;
  }
  table(events, ['id', 'type']);
}

async function followScan(scanId: string): Promise<Scan> {
  for (let seen: string | undefined; ; await delay(200)) {
    const scan = await client.scans.get(scanId);
    if (scan.status !== seen) show(scan.status);
    seen = scan.status;
    if (scan.finished_at !== null) return scan;
  }
}

function demoOrExit() {
  const dataDir = process.env.DATA_DIR ?? './data';
  try {
    return readDemo(dataDir);
  } catch {
    process.stderr.write(`No demo.json in ${dataDir}: run npm start first, with the same DATA_DIR.\n`);
    process.exit(1);
  }
}

function isFresh({ external_id }: FullCreator): boolean {
  return external_id.startsWith('svc:');
}

/** An earlier walk enrolled it: the same body again is the same creator. */
function isOfDemo({ external_id }: FullCreator): boolean {
  return external_id.startsWith(DEMO);
}

function step(title: string, request: string): void {
  process.stdout.write(`\n${styleText('bold', title)}  ${styleText('dim', request)}\n`);
}

function show(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

function table<Row extends object>(rows: readonly Row[], columns: readonly (keyof Row & string)[]): void {
  const cells = rows.map((row) => columns.map((column) => String(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((cell) => cell[index]?.length ?? 0)),
  );
  const line = (cell: readonly string[]) => cell.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ');
  show(styleText('dim', line(columns)));
  for (const cell of cells) show(line(cell));
}
