import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { publicAddress } from '#http';
import type { CodeSamplesAnswer } from '../answers/parts.js';
import { DashboardOptions } from './address.js';

@Injectable()
export class CodeSamples {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly options: DashboardOptions,
  ) {}

  get apiUrl(): string {
    return publicAddress(this.options.apiUrl, this.host.httpAdapter.getHttpServer());
  }

  firstCall(secret = 'svc_live_…'): CodeSamplesAnswer {
    return {
      curl: `curl -i -H 'Authorization: Bearer ${secret}' ${this.apiUrl}/v1/me`,
      typescript: `// npm install @creator-protection/client
import { CreatorProtection } from '@creator-protection/client';

const client = new CreatorProtection({ baseUrl: '${this.apiUrl}', apiKey: process.env.SVC_KEY ?? '' });
const { partner, scopes } = await client.connection.get();
console.log(partner.name, scopes);`,
      python: `import json, os, urllib.request

headers = {"Authorization": "Bearer " + os.environ["SVC_KEY"]}
request = urllib.request.Request("${this.apiUrl}/v1/me", headers=headers)
print(json.load(urllib.request.urlopen(request)))`,
    };
  }

  /** A line that repeats a call of a route, whose values were never kept, and the guide to its refusals. */
  repeat(route: string): { readonly docs: string; readonly curl: string | null } {
    const docs = `${this.apiUrl}/docs#section/Errors`;
    const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(route) ?? [];
    if (method === undefined || path === undefined) return { docs, curl: null };
    const parts = [
      `curl -i${method === 'GET' ? '' : ` -X ${method}`} -H 'Authorization: Bearer svc_live_…'`,
      ...(method === 'POST' ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
      ...(/^(?:POST|PUT|PATCH)$/.test(method) ? ["-H 'Content-Type: application/json' -d '{…}'"] : []),
      `'${this.apiUrl}${path}'`,
    ];
    return { docs, curl: parts.join(' ') };
  }
}

/** A receiver on the developer's own machine, and a signed event for it. */
export const RECEIVER_SAMPLES: CodeSamplesAnswer = {
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
};
