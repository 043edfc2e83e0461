import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CheckResult, runChecks } from '../../apps/platform-sandbox/src/conformance/run-checks.js';
import { SecondPlatform } from './index.js';
import type { Listener } from './listener.js';

const AGENCY = 'agence n° 1/été';
let second: SecondPlatform;

beforeAll(async () => {
  second = await SecondPlatform.start(Date.now);
  const { control } = second;
  control.jobsEnd = 'automatically';
  control.openAgency(AGENCY, { total_slots: 100 });
  for (let number = 0; number < 5; number++) {
    const profiles = [{ platform: 'x', username: `zoë_${number}` }];
    const { user_id } = control.addCreator(AGENCY, { profiles, onboarding_complete: number % 2 === 0 });
    for (let leak = 0; leak < 5; leak++) control.addLeak(AGENCY, user_id, { actionable: true });
    for (let fake = 0; fake < 3; fake++) control.addImpersonation(AGENCY, user_id);
  }
  control.addCreator(AGENCY, { is_staff: true });
});
afterAll(() => second.stop());

const address = ({ url, token }: Listener) => ({ url, token });

test('the second platform passes the conformance checks at three addresses, none skipped', async () => {
  const { platform, engine, search } = second;
  const target = { ...address(platform), engine: address(engine), search: address(search), agency: AGENCY };
  const results: CheckResult[] = [];
  for await (const result of runChecks(target)) results.push(result);
  expect(results.filter(({ result }) => result !== 'pass')).toEqual([]);
  expect(results.length).toBeGreaterThan(100);
  expect(second.record.slips).toEqual([]);
});
