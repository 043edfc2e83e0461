import { afterEach, describe, expect, test } from '@jest/globals';
import { agencyId } from '#kernel';
import { failure, hangUp, json, raw, ScriptedPlatform, silence } from '../../testing/src/scripted-platform.js';
import type { CallReport } from './provider.js';
import { agency } from './records/records.fixtures.js';
import { scriptedService } from './testing/scripted-service.js';

const { service, connect } = await scriptedService();
const reports: CallReport[] = [];
afterEach(() => {
  reports.length = 0;
});

const read = (timeout: number, url = service.url) => {
  const platform = connect({ platform: { url, token: 'token' }, timeout, onCall: (report) => reports.push(report) });
  return platform.client.getAgency(agencyId('agency-1'));
};
const found = json(200, agency);
const busy = failure(503, 'busy');

describe('a read', () => {
  test.each([
    ['a 500', raw(500)],
    ['a 429', failure(429, 'rate_limited')],
    ['a broken connection', hangUp],
  ])('is repeated after %s', async (_, fault) => {
    service.answer(fault, fault, found);
    expect(await read(10_000)).toMatchObject({ id: 'agency-1' });
    expect(service.calls).toHaveLength(3);
    expect(reports).toMatchObject([{ operation: 'getAgency', outcome: 'done' }]);
  });

  test('is repeated twice at most', async () => {
    service.answer(busy);
    await expect(read(10_000)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(service.calls).toHaveLength(3);
  });

  test('to an address where nothing listens is unavailable well before the deadline', async () => {
    const gone = await ScriptedPlatform.start();
    const { url } = gone;
    await gone.close();
    await expect(read(10_000, url)).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(reports[0]?.durationMs).toBeLessThan(5_000);
  });

  test('has one deadline over its repeats', async () => {
    service.answer(busy, silence);
    // Long enough for the repeat to begin within it on a machine that is busy with something else.
    await expect(read(2_000)).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(service.calls).toHaveLength(2);
    expect(reports[0]?.durationMs).toBeGreaterThanOrEqual(1_995);
    expect(reports[0]?.durationMs).toBeLessThan(4_000);
  });

  test('is not repeated once the deadline is used up', async () => {
    service.answer(silence, found);
    await expect(read(1_000)).rejects.toMatchObject({ code: 'provider_timeout' });
    expect(service.calls).toHaveLength(1);
  });

  test('is not repeated if the wait would outlast the deadline', async () => {
    service.answer(failure(429, 'rate_limited', { 'retry-after': '30' }), found);
    await expect(read(10_000)).rejects.toMatchObject({ code: 'provider_unavailable', retryAfterSeconds: 30 });
    expect(service.calls).toHaveLength(1);
    expect(reports[0]?.durationMs).toBeLessThan(5_000);
  });

  test('does not mind a Retry-After that it cannot read', async () => {
    service.answer(failure(503, 'busy', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }), found);
    expect(await read(10_000)).toMatchObject({ id: 'agency-1' });
  });

  test('is not repeated after an answer that makes no sense', async () => {
    service.answer(raw(200, '<html>'), found);
    await expect(read(10_000)).rejects.toMatchObject({ code: 'provider_invalid_response' });
    expect(service.calls).toHaveLength(1);
  });
});
