import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import type { ApiError } from '../errors.js';
import {
  answered,
  brokenOff,
  failureOf,
  type Outcome,
  opened,
  own,
  POST,
  refused,
  ScriptedService,
} from '../scripted-service.fixtures.js';

describe('the error of a call with an idempotency key (D117)', () => {
  const HINT = 'It may have had an effect: a repeat with the idempotencyKey "key-1" settles it.';
  const failureAfter = (...outcomes: Outcome[]) =>
    failureOf(
      opened(new ScriptedService(...outcomes), { maxRetries: outcomes.length - 1, timeout: 20 }).transport.send(POST),
    );

  it.each<[string, () => Outcome[]]>([
    ['a lost connection', () => [brokenOff()]],
    ['a timeout', () => ['silence']],
    ['an internal error', () => [refused(500, 'internal_error')]],
    ['an outage', () => [refused(504, 'provider_timeout')]],
    ['a page of a proxy', () => [new Response('<html>', { status: 404 })]],
    ['a success in another form', () => [answered({})]],
    ['a success that broke off', () => [own('{"id":', 'application/json')]],
    ['a refusal after a lost connection', () => [brokenOff(), refused(401, 'unauthorized')]],
    ['a limit after a lost connection', () => [brokenOff(), refused(429, 'scan_limit_reached')]],
  ])('has the key, and says that a repeat settles it: %s', async (_what, outcomes) => {
    const error = await failureAfter(...outcomes());
    expect(error).toMatchObject({ idempotencyKey: 'key-1', message: expect.stringContaining(`. ${HINT}`) });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ idempotencyKey: 'key-1' });
    // As a console shows it.
    expect(inspect(error)).toContain(HINT);
  });

  it('has the key, but nothing to settle after a refusal of its only try', async () => {
    const error = (await failureAfter(refused(409, 'scan_in_progress'))) as ApiError;
    expect(error).toMatchObject({ idempotencyKey: 'key-1', code: 'scan_in_progress' });
    expect(error.message).toBe('The message of scan_in_progress. (409 scan_in_progress, request req-1)');
  });

  it('shows a key with the characters of a replacement as it is', async () => {
    const { transport } = opened(new ScriptedService(brokenOff()), { maxRetries: 0 });
    const error = await failureOf(transport.send({ ...POST, idempotencyKey: '$& "1"' }));
    expect(inspect(error)).toContain('the idempotencyKey "$& \\"1\\"" settles it');
  });

  it('is there when the signal ends the call during a try, with the reason as its cause', async () => {
    const controller = new AbortController();
    const { transport } = opened(new ScriptedService('silence'));
    const failure = failureOf(transport.send(POST, { options: { signal: controller.signal } }));
    controller.abort('enough');
    expect(await failure).toMatchObject({
      name: 'ConnectionError',
      idempotencyKey: 'key-1',
      cause: 'enough',
      attempts: 1,
    });
  });

  it('is there when the signal or onRetry ends the call in a wait', async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const aborting = opened(new ScriptedService(brokenOff()), { onRetry: () => controller.abort('enough') });
    const failure = await failureOf(aborting.transport.send(POST, { options }));
    expect(failure).toMatchObject({ idempotencyKey: 'key-1', cause: 'enough', message: expect.stringContaining(HINT) });
    const throwing = opened(new ScriptedService(brokenOff()), {
      onRetry: () => {
        throw new Error('enough');
      },
    });
    expect(await failureOf(throwing.transport.send(POST))).toMatchObject({ idempotencyKey: 'key-1' });
    // What was not sent has no effect.
    expect(await failureOf(aborting.transport.send(POST, { options }))).toBe('enough');
  });
});
