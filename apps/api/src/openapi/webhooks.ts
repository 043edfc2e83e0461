import { PUBLIC_EVENT_TYPES, type PublicEventType } from '#event-feed';
import { ref } from '#http';
import { exampleEvent } from '../http/resources.examples.js';
import { schemaNameOf } from './schemas/events.js';

const SAYS: Readonly<Record<PublicEventType, string>> = {
  'protection.activated': 'The API schedule of a creator was switched on.',
  'protection.paused': 'The API schedule of a creator was switched off.',
  'scan.completed': 'A scan has ended, and its findings can be read.',
  'scan.failed': 'A scan has failed. A cancelled scan has no event.',
  'creator.updated':
    'The creator is new, or something that `GET /v1/creators/{id}` shows has changed, other than `protection_status` alone.',
  'case.created': 'A finding was synchronized for the first time. It can be an old finding.',
  'case.updated': 'A finding has changed, or a scan of this API was found to be its source.',
  'case.deleted': 'The platform no longer lists the finding. This does not prove that the content is gone.',
  'deindex.status_changed': 'The status or a flag of a deindex request has changed.',
  'impersonation.created': 'An impersonation was synchronized for the first time. It can be an old one.',
  'impersonation.updated': 'An impersonation has changed.',
  'impersonation.deleted': 'The platform no longer lists the impersonation.',
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
 * The section `webhooks`: the requests that the service sends to an agency's endpoints. It has no tags, because
 * openapi-generator replaces the operations of a tag by the webhooks with the same tag.
 */
export const webhooks = () => Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, { post: delivery(type) }]));

const delivery = (type: PublicEventType) => ({
  operationId: `receive${schemaNameOf(type)}`,
  summary: SAYS[type],
  description:
    'Verify the signature over the raw body, store the event once for each `id`, and answer 2xx within five seconds. ' +
    'Deliveries may repeat, and may arrive in a different order than in the feed.',
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
