import type { FastifyInstance } from 'fastify';
import type { RequestLog } from '#dashboard';
import type { AccessedRequest } from '#http';
import type { DomainError } from '#kernel';

/**
 * Records each request with a valid key for the agency's dashboard, after its answer has been sent: the template of its
 * path, its status, and the rules that it broke. It records none of the request's values.
 */
export const noteServedRequests = (fastify: FastifyInstance, log: RequestLog): void => {
  fastify.addHook('onResponse', (request: AccessedRequest, reply, done) => {
    const { key, refusal } = request;
    if (key !== undefined) {
      log.note({
        requestId: request.id,
        agencyId: key.agencyId,
        keyId: key.keyId,
        route: routeOf(request),
        status: reply.statusCode,
        code: refusal?.code ?? null,
        problems: refusal === undefined ? [] : problemsOf(refusal),
      });
    }
    done();
  });
};

/** Such as `GET /v1/creators/{id}`. A path outside the API may be anything, so it is not named. */
const routeOf = ({ method, is404, routeOptions: { url } }: AccessedRequest): string =>
  is404 || url === undefined ? 'no such route' : `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`;

/** The names that the API gives to parts of a request. A caller may write anything in place of other names. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'aliases',
  'display_name',
  'email',
  'external_id',
  'first_name',
  'last_name',
  'locale',
  'profile_urls',
  'provider',
  'status',
  'svc_user_id',
  'url',
  'workspace_id',
  'after',
  'limit',
  'month',
  'Idempotency-Key',
  'Host',
  'body',
  'request',
]);

/** A field, or an item of a list; anything else in brackets is what the caller wrote. */
const NAME_OR_ITEM = /^([\w-]+)(?:\[\d{1,4}\])?$/;

const problemsOf = ({ fields }: DomainError) =>
  fields.map(({ field, message }) => {
    const [, name = ''] = NAME_OR_ITEM.exec(field) ?? [];
    // The text after a colon may quote the value, such as the URL that would be accepted.
    const [rule = ''] = message.split(': ', 1);
    return KNOWN_FIELDS.has(name) ? { field, rule } : { field: 'another field', rule: 'is not known' };
  });
