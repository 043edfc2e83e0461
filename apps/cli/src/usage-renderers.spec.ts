import { describe, expect, it } from '@jest/globals';
import { compareUsage, type UsageDocument, usageDocument } from '#audit';
import { agencyId, type CreatorId, DAY, derivedId, HOUR } from '#kernel';
import { type Month, type Pricing, type ProtectionInterval } from '#usage';
import { readCsv } from '../../../test/e2e/support/csv.js';
import { usageAsHtml } from './usage-html.js';
import { comparisonAsTable, usageAsCsv, usageAsTable } from './usage-table.js';

const HOSTILE = `<script>alert("it's & bad")</script>`;
const agency = agencyId('agency_<b>');
const month = '2028-02' as Month;
const beginning = Date.parse('2028-02-01T00:00:00Z');
const priced: Pricing = { perCreatorMonth: 290_000, minimumMonthly: 100, currency: 'EUR' };
const [ada, bea] = ['ada', 'bea'].map((name) => derivedId('creator', name)) as [CreatorId, CreatorId];

const by = (eventId: string, at: number) => ({
  eventId,
  revision: 0,
  at,
  actor: 'key:key_1',
  requestId: HOSTILE,
  reason: 'api_request',
});
const intervals: readonly ProtectionInterval[] = [
  { creatorId: ada, opened: by('ada-on', beginning + 22 * HOUR), closed: by('ada-off', beginning + DAY + 4 * HOUR) },
  { creatorId: bea, opened: by('bea-on', beginning - DAY), closed: null },
];
const documentOf = (at: number, pricing = priced, of = intervals): UsageDocument =>
  usageDocument({ agencyId: agency, month, at, intervals: of, since: 0 }, pricing);
const whole = documentOf(beginning + 29 * DAY);

describe('the CSV', () => {
  it('has a record for each creator, day and interval, whose milliseconds add up to the month', () => {
    const [head, ...records] = readCsv(usageAsCsv(whole));
    expect(head?.slice(0, 3)).toEqual(['creator_id', 'date', 'active_milliseconds']);
    const ofAda = records.filter(([creator]) => creator === ada);
    expect(ofAda.map((record) => record.slice(1, 3))).toEqual([
      ['2028-02-01', String(2 * HOUR)],
      ['2028-02-02', String(4 * HOUR)],
    ]);
    expect(ofAda[0]).toEqual(expect.arrayContaining(['ada-on', 'ada-off', HOSTILE]));
    expect(records.filter(([creator]) => creator === bea)).toHaveLength(29);
    const sum = records.reduce((total, [, , milliseconds]) => total + Number(milliseconds), 0);
    expect(sum).toBe(whole.totals.active_milliseconds);
  });
});

describe('the HTML', () => {
  const html = usageAsHtml(whole);

  it('has every element closed in its turn, and every attribute quoted', () => {
    const open: string[] = [];
    const markup = html.replace(/^<!doctype html>/, '').replace(/<style>[\s\S]*?<\/style>/, '');
    for (const [tag, end, name = '', attributes = ''] of markup.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>/g)) {
      expect({ tag, attributes }).toEqual({ tag, attributes: expect.stringMatching(/^(?: [a-z-]+="[^"<]*")*$/i) });
      if (end === '/') expect(open.pop()).toBe(name);
      else if (!['meta', 'br'].includes(name)) open.push(name);
    }
    expect(open).toEqual([]);
    expect(markup.replaceAll(/<\/?[a-z0-9]+(?: [a-z-]+="[^"<]*")*>/gi, '')).not.toMatch(
      /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/,
    );
  });

  it('shows what came from outside as text, and needs nothing from anywhere', () => {
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;it&#39;s &amp; bad&quot;)&lt;/script&gt;');
    expect(html).toContain('agency_&lt;b&gt;');
    expect(html).not.toMatch(/\b(?:src|href|srcset|action|data)=|url\(|@import|https?:/);
  });

  it('has a bar for each day, as high as its share of the highest', () => {
    const bars = [...html.matchAll(/<rect [^>]*height="([\d.]+)"><title>(\d{4}-\d\d-\d\d): ([^<]+)<\/title>/g)];
    expect(bars).toHaveLength(29);
    const heights = bars.map(([, height]) => Number(height));
    expect(heights[1]).toBe(Math.max(...heights));
    expect((heights[5] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(24 / 28);
    expect(bars[0]?.[3]).toBe('1d 02:00:00.000, 2 creators');
  });

  it('shows the month without a price, and one in which nothing was active', () => {
    const free: Pricing = { perCreatorMonth: undefined, minimumMonthly: 0, currency: 'USD' };
    const withoutPrice = documentOf(beginning + DAY, free);
    expect(usageAsHtml(withoutPrice)).toMatch(/<td class="number">–<\/td>/);
    expect(usageAsHtml(withoutPrice)).toContain(
      `through ${withoutPrice.measured_through}. No price is configured.</p>`,
    );
    expect(html).toContain(', at 2900.00 EUR for a creator month. This is an estimate, not an invoice.</p>');
    expect(usageAsHtml(documentOf(beginning, priced, []))).toContain('</html>');
  });
});

describe('the table', () => {
  it('names each interval with its events and who asked, and ends with the sums', () => {
    const table = usageAsTable(whole);
    for (const shown of [ada, bea, 'ada-on', 'ada-off', 'bea-on', 'by key:key_1 (api_request)', 'open']) {
      expect(table).toContain(shown);
    }
    const { estimated_total_cents: cents } = whole.totals;
    expect(table.trimEnd().split('\n').slice(-3).join('\n')).toContain(
      `${Math.floor((cents ?? 0) / 100)}.${String((cents ?? 0) % 100).padStart(2, '0')} EUR`,
    );
  });

  it('of a comparison names what came between, and both sums', () => {
    const open = intervals.map((interval) => ({ ...interval, closed: null }));
    const earlier = documentOf(beginning + DAY, priced, open);
    const table = comparisonAsTable(compareUsage(earlier, documentOf(beginning + 2 * DAY)));
    expect(table).toMatch(/protection was switched off[\s\S]*ada-off/);
    expect(table).toMatch(/stayed on[\s\S]*bea-on/);
    expect(table).toMatch(/active time +│ 1d 02:00:00\.000 +│ 2d 06:00:00\.000/);
  });
});
