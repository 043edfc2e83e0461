import type { DocumentedCreator, DocumentedDay, DocumentedSwitch, UsageDocument } from '#audit';
import { DAY, HOUR } from '#kernel';
import { instant, length, money, pricedAt } from './usage-table.js';

const WIDTH = 24;
const HEIGHT = 160;

/** A statement to print or mail: one self-contained file. */
export const usageAsHtml = (document: UsageDocument): string => {
  const { agency_id, month, measured_through, price, totals, days, creators } = document;
  const title = `Usage of ${agency_id}, ${month}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; padding: .25rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
small, figcaption { color: #666; } figure { margin: 1.5rem 0; overflow-x: auto; }
rect { fill: #3267d6; } @media print { body { margin: 0; } }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>Active time through ${escaped(measured_through)}${escaped(pricedAt(price))}</p>
<table>
<tr><th class="number">Creators</th><th class="number">Active time</th><th class="number">Creator months</th><th class="number">Subtotal</th><th class="number">Minimum</th><th class="number">Total</th></tr>
<tr>${[
    String(totals.active_creator_count),
    length(totals.active_milliseconds),
    String(totals.creator_months),
    money(totals.estimated_subtotal_cents, price.currency),
    money(totals.minimum_monthly_cents, price.currency),
    money(totals.estimated_total_cents, price.currency),
  ]
    .map(numberCell)
    .join('')}</tr>
</table>
${chartOf(days)}
${creators.map(sectionOf).join('\n')}
</body>
</html>`;
};

const chartOf = (days: readonly DocumentedDay[]): string => {
  const most = Math.max(DAY, ...days.map((day) => day.active_milliseconds));
  const bars = days.map(({ date, active_milliseconds, active_creator_count }, index) => {
    const height = (active_milliseconds / most) * HEIGHT;
    const x = index * WIDTH;
    const label = `${date}: ${length(active_milliseconds)}, ${active_creator_count} ${active_creator_count === 1 ? 'creator' : 'creators'}`;
    return `<rect x="${x + 2}" y="${HEIGHT - height}" width="${WIDTH - 4}" height="${height}"><title>${escaped(label)}</title></rect>
<text x="${x + WIDTH / 2}" y="${HEIGHT + 16}" text-anchor="middle" font-size="10">${Number(date.slice(8))}</text>`;
  });
  return `<figure>
<svg role="img" aria-label="Active time by day" width="${days.length * WIDTH}" height="${HEIGHT + 24}">
${bars.join('\n')}
</svg>
<figcaption>Active time by day in UTC, all creators together; the scale ends at ${most / HOUR} hours.</figcaption>
</figure>`;
};

const sectionOf = ({
  creator_id,
  active_milliseconds,
  share_cents,
  days,
  intervals,
}: DocumentedCreator): string => `<h2>${escaped(creator_id)}</h2>
<p>${escaped(length(active_milliseconds))}${share_cents === null ? '' : `, ${escaped(share_cents)} cents before the sum is rounded`}</p>
<table>
<tr><th>Day</th><th class="number">Active</th></tr>
${days.map((day) => `<tr><td>${escaped(day.date)}</td>${numberCell(length(day.active_milliseconds))}</tr>`).join('\n')}
</table>
<table>
<tr><th>From</th><th>To</th><th class="number">Active</th><th>Switched on by</th><th>Switched off by</th></tr>
${intervals
  .map(
    ({ from, to, active_milliseconds: active, opened_by, closed_by }) =>
      `<tr><td>${instant(from)}</td><td>${closed_by === null ? 'open' : instant(to)}</td>${numberCell(length(active))}<td>${switchOf(opened_by)}</td><td>${closed_by === null ? '–' : switchOf(closed_by)}</td></tr>`,
  )
  .join('\n')}
</table>`;

const switchOf = ({ event_id, actor, request_id, reason }: DocumentedSwitch): string =>
  `${escaped(actor)} (${escaped(reason)})<br><small>event ${escaped(event_id)}<br>request ${escaped(request_id)}</small>`;

const numberCell = (value: string): string => `<td class="number">${escaped(value)}</td>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (value: string): string => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
