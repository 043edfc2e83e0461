import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { ref } from '#http';
import { exampleEvent } from '../http/event-feed/events.examples.js';
import { schemaNameOf } from './schemas/events.js';

const SAYS: Readonly<Record<PublicEventType, string>> = {
  'protection.activated': 'The API schedule of a creator was switched on.',
  'protection.paused': 'The API schedule of a creator was switched off.',
  'scan.completed': 'A scan has ended, and its findings can be read.',
  'scan.failed': 'A scan has failed. One that was cancelled has no event.',
  'creator.updated':
    'The creator is new, or what `GET /v1/creators/{id}` shows has changed, except `protection_status` alone.',
  'case.created': 'A finding was synchronized for the first time. It can be an old finding.',
  'case.updated': 'A finding has changed, or a scan of this API was found to be its source.',
  'case.deleted': 'The platform does not list the finding any more. That is no proof that the content is gone.',
  'deindex.status_changed': 'A deindex request has another status or another flag.',
  'impersonation.created': 'An impersonation was synchronized for the first time. It can be an old one.',
  'impersonation.updated': 'An impersonation has changed.',
  'impersonation.deleted': 'The platform does not list the impersonation any more.',
};

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});

/** The headers of a delivery (D61, D102). */
const HEADERS = [
  header('X-SVC-Event-ID', 'The id of the event.'),
  header(
    'X-SVC-Signature',
    '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.` and the raw body, with the whole secret as its key. There is one more `v1` during a rotation.',
  ),
  header('webhook-id', 'The id of the event, as in Standard Webhooks.', false),
  header('webhook-timestamp', 'Unix seconds, as in Standard Webhooks.', false),
  header(
    'webhook-signature',
    '`v1,<base64>`, as in Standard Webhooks: HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, with the bytes that the secret encodes.',
    false,
  ),
];

/**
 * The section `webhooks`: what the service sends to the endpoints of an agency. Without tags, because openapi-generator
 * replaces the operations of a tag by the webhooks with the same one.
 */
export const webhooks = () => Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, { post: delivery(type) }]));

const delivery = (type: PublicEventType) => ({
  operationId: `receive${schemaNameOf(type)}`,
  summary: SAYS[type],
  description:
    'Verify the signature over the raw body, store the event once for each `id`, and answer 2xx within five seconds. ' +
    'Deliveries may repeat, and may arrive in another order than that of the feed.',
  security: [],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: ref(schemaNameOf(type)), example: exampleEvent(type) } },
  },
  responses: {
    '2XX': { description: 'The event is stored.' },
    default: { description: 'The attempt has failed; there are up to five.' },
  },
});
