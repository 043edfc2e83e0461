import type { CodeSamplesAnswer } from './answers.js';

/** The first call with a key. */
export const callSamples = (apiUrl: string, secret = 'svc_live_…'): CodeSamplesAnswer => ({
  curl: `curl -i -H 'Authorization: Bearer ${secret}' ${apiUrl}/v1/me`,
  typescript: `// npm install @creator-protection/client
import { CreatorProtection } from '@creator-protection/client';

const client = new CreatorProtection({ baseUrl: '${apiUrl}', apiKey: process.env.SVC_KEY ?? '' });
const { partner, scopes } = await client.connection.get();
console.log(partner.name, scopes);`,
});

/** A receiver on one's own machine, and a signed event for it. */
export const receiverSamples = (): CodeSamplesAnswer => ({
  curl: `BODY='{"id":"evt_test","type":"ping"}'
TIME=$(date +%s)
SIGNATURE=$(printf '%s' "$TIME.$BODY" | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/.* //')
curl -i -H "X-SVC-Signature: t=$TIME,v1=$SIGNATURE" -d "$BODY" "http://127.0.0.1:\${PORT:-8080}/"`,
  typescript: `// npm install @creator-protection/client
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@creator-protection/client/webhooks';

const { WEBHOOK_SECRET = '', PORT = '8080' } = process.env;
createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(await buffer(request), request.headers, WEBHOOK_SECRET);
    console.log(event.type, event.id); // Store it here, once for each id.
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(401).end();
  }
}).listen(Number(PORT));`,
});
