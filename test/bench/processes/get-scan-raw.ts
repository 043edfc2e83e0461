import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fastify from 'fastify';
import type { ScanEvent } from '#scans';
import { sendToParent, settingsOf } from '../../support/child-process.js';

/** Fastify with nothing but the point read: the scan's last event from the same file, shown with the same members. */
const { dir } = await settingsOf<{ readonly dir: string }>();
const db = new DatabaseSync(join(dir, 'events.db'), { readOnly: true });
const last = db.prepare(`SELECT body FROM events WHERE stream = (SELECT id FROM streams WHERE name = ?)
  ORDER BY revision DESC LIMIT 1`);

const app = fastify();
app.get<{ Params: { id: string } }>('/v1/scans/:id', async ({ params }) => {
  const row = last.get(`scan-${params.id}`);
  const { data } = JSON.parse(String(row?.body)) as Extract<ScanEvent, { type: 'scan.completed.v1' }>;
  return {
    id: data.scanId,
    creator_id: data.creatorId,
    status: 'completed',
    source: 'manual',
    created_at: data.finishedAt,
    finished_at: data.finishedAt,
    error_code: data.errorCode,
    svc_job_id: data.jobId,
    simulated: false,
  };
});
sendToParent({ url: await app.listen({ port: 0 }) });
