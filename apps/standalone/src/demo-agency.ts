import { BindAgency, IssueKey, type KeyRequest, RevokeKey } from '#agencies';
import type { PublicEventType } from '#event-feed';
import { agencyId, DAY, type Duration } from '#kernel';
import { DisableEndpoint, RegisterEndpoint, TestEndpoint } from '#webhooks';
import { type Sandbox, SandboxClient } from '../../platform-sandbox/src/index.js';
import { MORE_CREATORS } from './demo-creators.js';
import { contextOf, type DemoPast } from './demo-past.js';
import { DemoWork } from './demo-work.js';

export const DEMO_AGENCY = agencyId('agency_demo');

/** Long enough that the dashboard says when the endpoint will be disabled, two days later (D82). */
const FAILING_FOR = 3.5 * DAY;
const FAILING = 'accounting';

interface PlatformState {
  readonly settings: { readonly leaks_per_handle: number };
}

/** Lets the demo agency's people use its dashboard, and its programs the API. `times`: how long before the present. */
export const liveThrough = async (times: readonly Duration[], past: DemoPast, sandbox: Sandbox): Promise<void> => {
  const platform = new SandboxClient(sandbox);
  await platform.control('PATCH', `/agencies/${DEMO_AGENCY}`, { total_slots: 40, dashboard_slots: 0 });
  const { settings } = await platform.control<PlatformState>('GET', '/state');
  await platform.control('PATCH', '/settings', { leaks_per_handle: 1 });
  for (const creator of MORE_CREATORS) await platform.control('POST', `/agencies/${DEMO_AGENCY}/creators`, creator);
  const { body } = await platform.call<{ owner_user_id: string }>('GET', `/agencies/${DEMO_AGENCY}`);
  const byOwner = () => contextOf(`user:${body.owner_user_id}`);
  const issueKey = (request: KeyRequest) => past.execute(new IssueKey(DEMO_AGENCY, request, byOwner()));
  const addEndpoint = async (name: string, types: readonly PublicEventType[] | null = null) => {
    const url = `${sandbox.url}/receivers/${name}`;
    const { endpoint } = await past.execute(new RegisterEndpoint(DEMO_AGENCY, url, byOwner(), types));
    await past.execute(new TestEndpoint(endpoint.endpointId, byOwner()));
    return endpoint.endpointId;
  };

  await past.execute(new BindAgency(DEMO_AGENCY, byOwner()));
  const backend = await issueKey({ preset: 'read_write', name: 'Roster backend', lifetime: 'none' });
  const reports = await issueKey({ preset: 'read_only', name: 'Weekly report', lifetime: '90d' });
  const importer = await issueKey({ preset: 'read_write', name: 'First import', lifetime: 'none' });
  await addEndpoint('case-desk');
  await addEndpoint(FAILING, ['protection.activated', 'protection.paused', 'creator.updated']);
  const staging = await addEndpoint('staging');
  const work = new DemoWork(past, platform, backend.secret, reports.secret);
  for (const [number, left] of times.entries()) {
    await past.reach(left);
    if (number === 3) await past.execute(new DisableEndpoint(staging, byOwner()));
    if (number === 5) await past.execute(new RevokeKey(importer.key.keyId, byOwner()));
    // It ends in about a week.
    if (number === 10) await issueKey({ preset: 'read_only', name: 'Spreadsheet', lifetime: '30d' });
    if (left <= FAILING_FOR) await platform.control('PATCH', '/settings', { failing_receivers: [FAILING] });
    await work.do(number, left);
  }
  // Later scans find as much as elsewhere.
  await platform.control('PATCH', '/settings', { leaks_per_handle: settings.leaks_per_handle });
};
