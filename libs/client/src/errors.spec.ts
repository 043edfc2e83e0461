import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ApiError, ConnectionError, CreatorProtectionError, isApiError, knownError, TimeoutError } from './errors.js';
import { KEY, refused, ScriptedService } from './scripted-service.fixtures.js';

const errorOf = async (service: ScriptedService): Promise<CreatorProtectionError> => {
  const client = service.client({ maxRetries: 0, timeout: 20 });
  return client.connection.get().then(
    () => {
      throw new Error('it succeeded');
    },
    (error) => error,
  );
};

/** As logs, crash reporters and `console.log` show a value. */
const shownAs = (value: unknown): string => {
  const { stack, message, cause } = value as Error;
  const hidden = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
  return [inspect(value), hidden, JSON.stringify(value), String(value), stack, message, inspect(cause)].join('\n');
};

/** An error that `fetch` may throw: it shows the request, and its message and its cause contain the key. */
const indiscreet = () =>
  Object.assign(new Error(`cannot send Bearer ${KEY}`, { cause: Object.assign(new Error(KEY), { code: KEY }) }), {
    request: { headers: { authorization: `Bearer ${KEY}` } },
  });

describe('the key is in no error', () => {
  const withoutName = Object.assign(new Error('x', { cause: `thrown ${KEY}` }), { name: KEY });
  it.each<[string, ScriptedService]>([
    ['an answer', new ScriptedService(refused(401, 'unauthorized'))],
    ['a lost connection', new ScriptedService(indiscreet())],
    ['an error with a cause that is no error', new ScriptedService(withoutName)],
    ['a timeout', new ScriptedService('silence')],
  ])('of %s', async (_what, service) => {
    const error = await errorOf(service);
    expect(error).toBeInstanceOf(CreatorProtectionError);
    expect(shownAs(error)).not.toContain(KEY);
    expect(shownAs(error)).not.toContain(KEY.slice('svc_live_'.length));
  });

  it('and in nothing that shows the client', () => {
    expect(shownAs(new ScriptedService().client())).not.toContain(KEY);
  });

  it('while its code and its causes are, but no endless chain of them', async () => {
    const circular = new Error('round');
    circular.cause = circular;
    const error = await errorOf(new ScriptedService(Object.assign(circular, { code: 'EROUND' })));
    expect(error.cause).toMatchObject({ message: 'round', code: 'EROUND' });
    expect(error.message).toBe('No answer came from GET /v1/me: round');
  });
});

describe('an error', () => {
  it('of the service is recognised by its code', async () => {
    const error: unknown = await errorOf(new ScriptedService(refused(409, 'capacity_reached')));
    expect([
      isApiError(error),
      isApiError(error, 'capacity_reached'),
      isApiError(error, 'not_found', 'forbidden'),
    ]).toEqual([true, true, false]);
    expect(isApiError(new ConnectionError('lost'))).toBe(false);
    if (!isApiError(error, 'capacity_reached')) throw error;
    const code: 'capacity_reached' = error.code;
    expect([error instanceof ApiError, code]).toEqual([true, 'capacity_reached']);
  });

  it('has its name and message in JSON', async () => {
    const error = await errorOf(new ScriptedService(refused(403, 'forbidden')));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ApiError',
      message: 'The message of forbidden. (403 forbidden, request req-1)',
      code: 'forbidden',
      status: 403,
      details: [],
      requestId: 'req-1',
      retryAfter: null,
      attempts: 1,
    });
  });

  it('of another copy of the package is one of this copy (D117)', () => {
    // test:client-package has a second copy of the whole package.
    class Copied extends Error {}
    knownError(Copied, 'ApiError');
    const error = Object.assign(new Copied('a'), { code: 'not_found' });
    expect([isApiError(error), isApiError(error, 'not_found'), isApiError(error, 'forbidden')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([error instanceof ApiError, error instanceof ConnectionError]).toEqual([true, false]);
    for (const thrown of [undefined, null, 'ApiError', {}, new Error('ApiError')])
      expect(isApiError(thrown)).toBe(false);
  });

  it('may have a class of the caller, which others are no instances of', () => {
    class Own extends ConnectionError {}
    expect([new Own('a') instanceof Own, new Own('a') instanceof ConnectionError]).toEqual([true, true]);
    expect(new ConnectionError('a') instanceof Own).toBe(false);
  });

  it('is shown by its name', () => {
    const shown = [new CreatorProtectionError('a'), new ConnectionError('b'), new TimeoutError('c')].map(String);
    expect(shown).toEqual(['CreatorProtectionError: a', 'ConnectionError: b', 'TimeoutError: c']);
  });
});
