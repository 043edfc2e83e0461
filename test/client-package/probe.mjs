// Runs in an empty project, on each runtime, with the installed package and a real service.
import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { CreatorProtection, isApiError, isKnownEvent } from '@creator-protection/client';
import { verifyWebhook, WebhookVerificationError } from '@creator-protection/client/webhooks';

// Where two dependencies install the package, there are two copies of its classes.
const copy = await import(new URL('copy/dist/index.js', import.meta.url).href);
const { SVC_URL: baseUrl, SVC_KEY: apiKey } = process.env;

const check = (what, holds) => {
  if (!holds) throw new Error(`not so: ${what}`);
};

let tries = 0;
/** Loses the answer to each first try. */
const losing = async (url, init) => {
  const response = await fetch(url, init);
  tries += 1;
  if (tries % 2 === 0) return response;
  await response.body?.cancel();
  throw new TypeError(`lost, with ${init.headers.authorization}`);
};

const client = new CreatorProtection({ baseUrl, apiKey, fetch: losing });
const me = await client.connection.get();
const roster = await client.creators.list({ limit: 7 }).toArray();
const user = roster.find(({ eligible, external_id }) => eligible && external_id.startsWith('svc:'));
const { data: creator, response } = await client.creators
  .enroll({
    workspace_id: me.workspace_id,
    external_id: `probe-${process.env.RUNTIME}`,
    display_name: user.display_name,
    svc_user_id: user.svc_user_id,
  })
  .withResponse();
check('an enrollment whose answer was lost is repeated', response.status === 200 && tries % 2 === 0);
await client.creators.setProtection(creator.id, { status: 'active' });

const idempotencyKey = 'ключ é 😀';
const scan = await client.scans.queue(creator.id, { idempotencyKey });
const again = await client.scans.queue(creator.id, { idempotencyKey });
check('a key of any script is the same key again', again.id === scan.id);
const error = await client.scans.queue(creator.id).catch((refusal) => refusal);
check('errors are known by another copy', copy.isApiError(error, 'scan_in_progress') && error instanceof copy.ApiError);
check('errors are of their kind in another copy', !(error instanceof copy.ConnectionError));
check('errors are known by code', isApiError(error, 'scan_in_progress') && error.requestId !== null);
const unreachable = new CreatorProtection({ baseUrl, apiKey, fetch: losing, maxRetries: 0 });
tries = 0;
const lost = await unreachable.connection.get().catch((failure) => failure);
check(
  'no error has the key',
  ![error, lost, client].some((value) => (inspect(value) + JSON.stringify(value)).includes(apiKey)),
);

const feed = client.events.follow({ pollInterval: 100, signal: AbortSignal.timeout(60_000) });
for await (const event of feed) {
  if (isKnownEvent(event) && event.type === 'scan.completed' && event.data.scan_id === scan.id) break;
}
check('the feed is followed to the end of the scan', feed.cursor?.startsWith('evt_'));
const rows = [];
for await (const row of client.creators.report(creator.id, { limit: 2 })) rows.push(row.url);
check('the report is a stream of rows', rows.length > 2 && rows.every((url) => url.startsWith('https://')));

const secret = `whsec_${'A'.repeat(43)}=`;
const body = '{"id":"evt_1","type":"ping","data":{"name":"é"}}';
const t = Math.floor(Date.now() / 1_000);
const headers = { 'x-svc-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}` };
const request = new Request('https://agency.example', { method: 'POST', body, headers });
check('a webhook is verified', (await verifyWebhook(request, undefined, secret)).type === 'ping');
const refusal = await verifyWebhook(`${body} `, headers, secret).catch((problem) => problem);
check('another body is refused', refusal instanceof WebhookVerificationError && refusal.code === 'signature_mismatch');
