import { expect, it } from '@jest/globals';
import { caseReport } from './case-report.js';
import type { PublicCase } from './public-case.js';

const HEADER =
  '"id","url","domain","status","status_code","source","scan_id","leak_id","created_at","updated_at",' +
  '"actionable","dead_on_arrival","available","api_deindex_supported"\r\n';

const shown: PublicCase = {
  id: 'cas_1',
  scan_id: null,
  creator_id: 'crt_1',
  status: '=cmd()',
  status_code: 'detected',
  url: 'https://leaks.example/a,"b"',
  domain: 'leaks.example',
  favicon_url: 'https://icons.example/leaks.example',
  simulated: false,
  created_at: 1_000,
  source: 'svc',
  leak_id: 'leak-1',
  updated_at: 2_000,
  actionable: true,
  dead_on_arrival: null,
  available: true,
  api_deindex_supported: false,
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
