import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE } from '#http';
import { ERROR_CODES } from '#kernel';
import type { Tag } from '../../http/transport/operation.js';
import { webhooks } from '../webhooks.js';
import { codeSamples, type SampledOperation } from './code-samples.js';

const start = (url: string) => `# First steps

Calls come from your backend, with the key in \`Authorization: Bearer svc_live_…\`. A key does not belong in a browser or an app. \`GET /v1/me\` shows its scopes:

\`\`\`sh
export SVC_URL='${url}' SVC_KEY='svc_live_…'
curl -H "Authorization: Bearer $SVC_KEY" "$SVC_URL/v1/me"
\`\`\`

1. Read the roster (\`GET /v1/creators\`), or enroll a creator (\`POST /v1/creators\`).
2. When \`eligible\` is true, switch protection on (\`PUT /v1/creators/{id}/protection\`).
3. Queue a scan, and read the cases when \`scan.completed\` has arrived.

Lists take \`limit\` and \`after\`, and return \`data\` and \`next_cursor\`. Follow \`next_cursor\` until it is null; a page without items can still have one.
Times are epoch milliseconds, except where a field is an ISO 8601 text. Ids, cursors and messages are opaque.`;

const ERRORS = `# Errors

Every refusal has the same shape. Decide by \`code\`, never by \`message\`, and handle an unknown code by its status:

\`\`\`json
{ "error": { "code": "creator_not_eligible", "message": "…" }, "request_id": "…" }
\`\`\`

400 \`invalid_request\` adds \`error.details\`: each wrong field with the reason and, if there is one, the form that would be accepted. Give the \`request_id\` to
support; it is also in the header \`X-Request-ID\`.

| answer | what to do |
| --- | --- |
| 408, 429 | repeat, after \`Retry-After\` if the answer has it |
| another 4xx | correct the request, or wait until what the message names has changed |
| 500 | do not repeat; report the \`request_id\`, and read whether a write took effect |
| 502, 503, 504 to a read | repeat with backoff |
| 502, 503, 504 to a write | repeat with backoff, as under [repeats](#section/Repeats); until then it is unknown whether it took effect |

All requests of an agency count together: \`RateLimit-Remaining\` says how many are left in this UTC minute.

| status | code | message |
| --- | --- | --- |
${[...ERROR_CODES]
  .sort((one, other) => ERROR_CATALOGUE[one].status - ERROR_CATALOGUE[other].status)
  .map((code) => `| ${ERROR_CATALOGUE[code].status} | \`${code}\` | ${ERROR_CATALOGUE[code].message} |`)
  .join('\n')}`;

const REPEATS = `# Repeats

A client that gets no answer, or a 502, 503 or 504, repeats the same request. A repeat has no second effect:

| request | how to repeat it |
| --- | --- |
| \`POST /v1/creators\` | with the same \`external_id\` and the same body; another body is \`external_id_conflict\` |
| a \`POST\` with an \`Idempotency-Key\` | with the same key, path and body; another path or body is \`idempotency_conflict\` |
| \`PATCH\`, \`PUT\`, \`DELETE\` | unchanged; they set a state and need no key |

A repeat of a request that succeeded answers 200 with its resource, as it is now. Create a new key for each new piece of work, and store it before you send it if the work has to
survive a crash on your side. A key belongs to the agency and the kind of operation, and never expires; a refused request does not use it up.

A read that follows a write sees it.`;

const EVENTS = `# The event feed

\`GET /v1/events\` returns the feed of the workspace. Its order never changes, it has no gaps, and each event keeps its id and its bytes. Keep the id of the last event that you have
processed, and pass it as \`after\`, even when \`next_cursor\` is null. Without \`after\` the feed begins with the first event.

Events describe what was observed, and several changes between two checks can be one event. Read the current state before you act. More types may follow, so skip those that
you do not know. The payload of each type is under [Events](#tag/Events), as a webhook.

Events of a creator that the agency can no longer see are left out of the feed. A cursor stays valid when its event is left out.`;

const WEBHOOKS = `# Webhooks

The owner of the agency registers endpoints in the dashboard: public \`https\` addresses on port 443. An endpoint receives the events that happen after its registration, as a
\`POST\` with the event's JSON, the same bytes as in the feed.

Verify the signature over the raw body, before anything parses it. Deliveries carry the headers of [Standard Webhooks](https://www.standardwebhooks.com), whose libraries take
the secret as it was shown:

\`\`\`ts
import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers); // throws if it is not genuine
\`\`\`

\`\`\`python
import os
from standardwebhooks.webhooks import Webhook

event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, request.headers)  # raises if it is not genuine
\`\`\`

\`X-SVC-Signature: t=<unix seconds>,v1=<hex>\` is the same signature in another form: HMAC-SHA256 over \`<t>.\` and the raw body, with the whole secret as its key. During a rotation there is one
\`v1\` for each secret; one of them has to match. An endpoint with a secret of the earlier form, without \`=\` at its end, gets only this signature.

1. Refuse a time that is more than five minutes off.
2. Store the event once for each \`id\`: deliveries may repeat, and may arrive in a different order than in the feed.
3. Answer 2xx within five seconds, and process the event afterwards.

Any other answer is a failed attempt. A delivery has up to five; after that it can be replayed from the dashboard, and the feed has the event in any case.`;

/** The texts that the page shows before the operations. Each first-level heading is an entry of its menu. */
const guides = (url: string): string => [start(url), ERRORS, REPEATS, EVENTS, WEBHOOKS].join('\n\n');

/** The document with guides and code samples, for readers. Client generators have no use for these. */
export const pageDocument = (document: OpenAPIObject, url: string): OpenAPIObject => {
  const paths = Object.entries(document.paths).map(([path, operations]) => [path, withSamples(path, operations)]);
  const description = `${document.info.description}\n\n${guides(url)}`;
  const shown: object = {
    info: { ...document.info, description },
    paths: Object.fromEntries(paths),
    webhooks: ofEvents(),
  };
  return { ...document, ...shown };
};

const ofEvents = () =>
  Object.fromEntries(
    Object.entries(webhooks()).map(([type, { post }]) => [
      type,
      { post: { ...post, tags: ['Events'] satisfies Tag[] } },
    ]),
  );

const withSamples = (path: string, operations: object) =>
  Object.fromEntries(
    Object.entries(operations).map(([method, operation]: [string, SampledOperation]) => [
      method,
      { ...operation, 'x-codeSamples': codeSamples(method, path, operation) },
    ]),
  );
