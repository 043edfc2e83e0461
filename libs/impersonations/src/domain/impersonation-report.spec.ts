import { describe, expect, it } from '@jest/globals';
import { agencyId, DomainError, derivedId } from '#kernel';
import { given, type Past } from '#testing';
import {
  type ImpersonationReport,
  type ImpersonationReportEvent,
  impersonationReportDecider,
  impersonationReportIdOf,
  impersonationUrlProblem,
  type ReportInput,
  recordReport,
  requestReport,
} from './impersonation-report.js';

const mia = derivedId('creator', 'mia');
const eve = derivedId('creator', 'eve');
const impersonationId = derivedId('impersonation', 'one');
const url = 'https://instagram.com/not_mia';
const input = { creatorId: mia, url };
const recorded = { creatorId: mia, personal: { url } };

const requested: ImpersonationReportEvent = { type: 'impersonationReport.requested.v1', data: recorded };
const unknown: ImpersonationReportEvent = { type: 'impersonationReport.outcomeLost.v1', data: { creatorId: mia } };
const refused: ImpersonationReportEvent = {
  type: 'impersonationReport.refused.v1',
  data: { creatorId: mia, code: 'unsupported_impersonation_url' },
};
const done: ImpersonationReportEvent = { type: 'impersonationReport.made.v1', data: { ...recorded, impersonationId } };

const givenReport = (past: Past<ImpersonationReportEvent>) => given(impersonationReportDecider, past);
const request =
  (of: ReportInput = input) =>
  (state: ImpersonationReport) =>
    requestReport(state, of);
const record = (effect: Parameters<typeof recordReport>[2]) => (state: ImpersonationReport) =>
  recordReport(state, input, effect);
const conclude = record({ outcome: 'done', value: { impersonationId } });
const refuse = record({ outcome: 'refused', code: 'unsupported_impersonation_url' });
const loseOutcome = record({ outcome: 'unknown', error: new DomainError('provider_timeout') });

describe('a report', () => {
  it('D45: has an id that follows from agency and key', () => {
    const [one, other] = [agencyId('ag_one'), agencyId('ag_other')];
    expect(impersonationReportIdOf(one, 'k')).toBe(impersonationReportIdOf(one, 'k'));
    expect(impersonationReportIdOf(one, 'k')).not.toBe(impersonationReportIdOf(other, 'k'));
    expect(impersonationReportIdOf(one, 'k')).not.toBe(impersonationReportIdOf(one, 'K'));
    expect(impersonationReportIdOf(one, 'k').length).toBeLessThanOrEqual(120);
  });

  it('records the intent first', () => {
    givenReport([]).when(request()).then([requested]);
  });

  it.each([
    ['asked for', [requested]],
    ['in doubt', [requested, unknown]],
    ['done', [requested, done]],
  ])('that is %s is repeated by the same, and is in conflict with anything else', (_, past) => {
    givenReport(past).when(request()).thenNothing();
    givenReport(past)
      .when(request({ creatorId: eve, url }))
      .thenRefused('idempotency_conflict');
    givenReport(past)
      .when(request({ creatorId: mia, url: `${url}/` }))
      .thenRefused('idempotency_conflict');
  });

  it('is completed once, with or without an unknown outcome before', () => {
    givenReport([requested]).when(conclude).then([done]);
    givenReport([requested, unknown]).when(conclude).then([done]);
    givenReport([requested, done]).when(conclude).thenNothing();
  });

  it('is completed also if another attempt was refused during the call, because the key is used', () => {
    givenReport([requested, refused]).when(conclude).then([done]);
    givenReport([requested, refused, done])
      .when(request({ creatorId: mia, url: `${url}/` }))
      .thenRefused('idempotency_conflict');
  });

  it('has an unknown outcome at most once, and never after its end', () => {
    givenReport([requested]).when(loseOutcome).then([unknown]);
    for (const past of [[], [requested, unknown], [requested, done], [requested, refused]]) {
      givenReport(past).when(loseOutcome).thenNothing();
    }
  });

  it('D45: consumes no key if it is refused', () => {
    givenReport([requested]).when(refuse).then([refused]);
    givenReport([requested, unknown]).when(refuse).then([refused]);
    givenReport([requested, refused])
      .when(request({ creatorId: eve, url: `${url}/` }))
      .then([{ type: 'impersonationReport.requested.v1', data: { creatorId: eve, personal: { url: `${url}/` } } }]);
  });
});

describe('the URL of an impersonation', () => {
  it.each([
    url,
    'http://instagram.com/not_mia',
    'HTTPS://INSTAGRAM.COM/NOT_MIA',
    'https://www.tiktok.com/@not.mia?lang=en#top',
    'https://instagram.com/iv%C3%BF',
    'https://127.0.0.1:8443/a',
    'https://[2001:db8::1]/a',
    `https://instagram.com/${'a'.repeat(2_026)}`,
  ])('may be %j', (text) => {
    expect(impersonationUrlProblem(text)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    'not_mia',
    'instagram.com/not_mia',
    '//instagram.com/not_mia',
    'ftp://instagram.com/a',
    'javascript:alert(1)',
    'https:instagram.com/a',
    'https://',
    'https:///a',
    ' https://instagram.com/a',
    'https://instagram.com/a\n',
    'https://instagram.com/a b',
    'https://instagram.com/a\\b',
    'https://instagram.com/"><script>',
    'https://instagram.com/ivÿ',
    'https://instagram.com/%zz',
    'https://instagram.com/%4',
    'https://insta gram.com',
    'https://instagram.com:99999/a',
    `https://instagram.com/${'a'.repeat(2_027)}`,
  ])('may not be %j', (text) => {
    expect(impersonationUrlProblem(text)).toEqual(expect.any(String));
  });
});
