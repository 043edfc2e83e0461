import { describe, expect, it } from '@jest/globals';
import { derivedId } from '#kernel';
import { domainOf } from '../domain/finding-url.js';
import type { CaseRow } from '../read-models/case-list.js';
import { caseReport, publicCase } from './public-case.js';

const row = (changes: Partial<CaseRow> = {}, url = 'https://www.Leaks.example:8443/mia/1?x=1'): CaseRow => ({
  caseId: derivedId('case', 'one'),
  creatorId: derivedId('creator', 'mia'),
  scanId: null,
  leakId: 'leak-1',
  available: true,
  finding: {
    url,
    status: 'Détecté',
    statusCode: 'detected',
    actionable: null,
    deadOnArrival: null,
    createdAt: 1_000,
    updatedAt: 2_000,
  },
  ...changes,
});

describe('the Case as agencies see it', () => {
  it("has exactly the members of the specification's table, and those of the guide", () => {
    expect(publicCase(row(), undefined)).toStrictEqual({
      id: derivedId('case', 'one'),
      scan_id: null,
      creator_id: derivedId('creator', 'mia'),
      status: 'Détecté',
      status_code: 'detected',
      url: 'https://www.Leaks.example:8443/mia/1?x=1',
      domain: 'www.leaks.example',
      favicon_url: null,
      simulated: false,
      created_at: 1_000,
      source: 'svc',
      leak_id: 'leak-1',
      updated_at: 2_000,
      actionable: null,
      dead_on_arrival: null,
      available: true,
      api_deindex_supported: false,
    });
  });

  it('has an API scan as its source and supports deindexing if its scan is known', () => {
    const scanId = derivedId('scan', 'one');
    expect(publicCase(row({ scanId, available: false }), undefined)).toMatchObject({
      available: false,
      scan_id: scanId,
      source: 'api_scan',
      api_deindex_supported: true,
    });
  });

  it('D50: sends only the domain to the favicon service', () => {
    const url = publicCase(
      row({}, 'https://mia:pw@[2001:db8::1]/a$&b'),
      'https://icons.example/{domain}?d={domain}',
    ).favicon_url;
    expect(url).toBe('https://icons.example/%5B2001%3Adb8%3A%3A1%5D?d=%5B2001%3Adb8%3A%3A1%5D');
  });
});

it.each(['ipfs://bafybeigdyrzt/mia', 'file://server.example/mia', 'https://./a', ''])(
  'D50: a finding at %j, which is not on the web, has no favicon',
  (url) => {
    expect(publicCase(row({}, url), 'https://icons.example/?d={domain}')).toMatchObject({
      domain: '',
      favicon_url: null,
    });
  },
);

describe('the domain of a finding', () => {
  it.each([
    ['https://leaks.example/a', 'leaks.example'],
    ['http://LEAKS.example', 'leaks.example'],
    ['https://leaks.example:8080/', 'leaks.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['ftp://Files.Leaks.example/mia', 'files.leaks.example'],
    ['https://leaks.example./a', 'leaks.example'],
    ['HTTPS://LEAKS.EXAMPLE.:8443/a', 'leaks.example'],
    ['https://[2001:db8::1]/a', '[2001:db8::1]'],
    ['https://./a', ''],
    ['magnet:?xt=1', ''],
    ['ipfs://bafybeigdyrzt/mia', ''],
    ['tg://resolve.example?domain=mia', ''],
    ['file://server.example/mia', ''],
    ['wss://leaks.example/a', ''],
    ['mailto:mia@leaks.example', ''],
    ['blob:https://leaks.example/1', ''],
    ['leaks.example/a', ''],
    ['', ''],
  ])('of %j is %j', (url, domain) => {
    expect(domainOf(url)).toBe(domain);
  });

  it('takes no time that grows with the square of its dots', () => {
    const domain = `${'.'.repeat(2_000)}a`;
    const began = process.threadCpuUsage();
    for (let left = 2_000; left > 0; left--) expect(domainOf(`http://${domain}/`)).toBe(domain);
    const { user, system } = process.threadCpuUsage(began);
    expect(user + system).toBeLessThan(1_000_000);
  });
});

const HEADER =
  '"id","url","domain","status","status_code","source","scan_id","leak_id","created_at","updated_at",' +
  '"actionable","dead_on_arrival","available","api_deindex_supported"\r\n';

const shown = {
  ...publicCase(row({}, 'https://leaks.example/a,"b"'), undefined),
  id: 'cas_1',
  status: '=cmd()',
  actionable: true,
};

it('D52: has a record for each case under the fourteen columns, with formulas disarmed', () => {
  expect(caseReport([shown, { ...shown, id: 'cas_2', scan_id: 'scn_1', url: '', status: 'x' }])).toBe(
    `${HEADER}"cas_1","https://leaks.example/a,""b""","leaks.example","'=cmd()","detected","svc","","leak-1","1000","2000",` +
      `"true","","true","false"\r\n"cas_2","","leaks.example","x","detected","svc","scn_1","leak-1","1000","2000",` +
      '"true","","true","false"\r\n',
  );
});

it('D52: of a page without cases has the names of the columns alone', () => {
  expect(caseReport([])).toBe(HEADER);
});
