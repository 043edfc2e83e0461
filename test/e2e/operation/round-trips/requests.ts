import { randomUUID } from 'node:crypto';
import { MINUTE, SECOND } from '#kernel';
import type { Agency } from '../../support/agency.js';
import type { Exchange } from '../../support/exchange.js';
import type { DeindexRequest } from '../../support/resources.js';
import type { Service } from '../../support/service.js';

/** Does what has to be there first, and returns the request that is counted. */
export type Preparation = (agency: Agency, service: Service) => Promise<() => Promise<Exchange>>;

const found = async (agency: Agency) => {
  const creator = await agency.active();
  const scan = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  await agency.leaks(creator.userId, 2, { job_id: scan.svc_job_id });
  await agency.impersonations(creator.userId, 2);
  await agency.api.impersonations(creator.id);
  const [finding] = (await agency.api.cases(creator.id)).filter(({ scan_id }) => scan_id === scan.id);
  if (finding === undefined) throw new Error('the scan has found nothing');
  return { creator, scan, finding };
};

/** Each request as it is usually sent, by the name of its operation and what is particular about it. */
export const REQUESTS: Readonly<Record<string, Preparation>> = {
  'GET /v1/me':
    async ({ api }) =>
    () =>
      api.get('/v1/me'),
  'GET /v1/workspaces/{id}':
    async ({ api, workspaceId }) =>
    () =>
      api.get(`/v1/workspaces/${workspaceId}`),
  'GET /v1/capacity':
    async ({ api }) =>
    () =>
      api.get('/v1/capacity'),
  'GET /v1/usage': async (agency, service) => {
    await agency.active();
    await service.quiet();
    // Sums do not count at the very time of their last event.
    service.clock.advance(SECOND);
    return () => agency.api.get('/v1/usage');
  },
  'GET /v1/events': async (agency) => {
    await agency.active();
    return () => agency.api.get('/v1/events?limit=100');
  },

  'POST /v1/creators (link)': async (agency) => {
    const body = agency.linkBody(await agency.user());
    return () => agency.api.enroll(body);
  },
  'POST /v1/creators (link, repeated)': async (agency) => {
    const body = agency.linkBody(await agency.user());
    await agency.api.enroll(body);
    return () => agency.api.enroll(body);
  },
  'POST /v1/creators (invitation)': async (agency) => {
    const body = agency.inviteBody();
    return () => agency.api.enroll(body);
  },
  'GET /v1/creators (2 new members)': async (agency) => {
    await agency.users(2);
    return () => agency.api.get('/v1/creators');
  },
  'GET /v1/creators (2 known members)': async (agency) => {
    await agency.users(2);
    await agency.api.roster();
    return () => agency.api.get('/v1/creators');
  },
  'GET /v1/creators/{id}': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.get(`/v1/creators/${id}`);
  },
  'GET /v1/creators/{id} (changed)': async (agency) => {
    const { id, userId } = await agency.linked();
    await agency.changeUser(userId, { display_name: 'Ivy Valley' });
    return () => agency.api.get(`/v1/creators/${id}`);
  },
  'GET /v1/creators/{id} (invited)': async (agency) => {
    const { id } = await agency.invited();
    return () => agency.api.get(`/v1/creators/${id}`);
  },
  'PATCH /v1/creators/{id}': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.patch(id, { display_name: 'Ivy Valley', aliases: ['ivyvalley'] });
  },
  'PUT /v1/creators/{id}/protection (active)': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.protect(id, 'active');
  },
  'PUT /v1/creators/{id}/protection (active, repeated)': async (agency) => {
    const { id } = await agency.active();
    return () => agency.api.protect(id, 'active');
  },
  'PUT /v1/creators/{id}/protection (paused)': async (agency) => {
    const { id } = await agency.active();
    return () => agency.api.protect(id, 'paused');
  },
  'DELETE /v1/creators/{id}': async (agency) => {
    const { id } = await agency.invited();
    return () => agency.api.remove(id);
  },
  'POST /v1/creators/{id}/resend-invitation': async (agency, service) => {
    const { id } = await agency.invited();
    // D39: one a minute, the first sending included.
    await service.pass(MINUTE);
    return () => agency.api.resendInvitation(id, randomUUID());
  },

  'POST /v1/creators/{id}/scans': async (agency) => {
    const { id } = await agency.active();
    return () => agency.api.queueScan(id, randomUUID());
  },
  'POST /v1/creators/{id}/scans (repeated)': async (agency) => {
    const { id } = await agency.active();
    const key = randomUUID();
    await agency.scan(id, key);
    return () => agency.api.queueScan(id, key);
  },
  'GET /v1/scans/{id}': async (agency) => {
    const { id } = await agency.scan((await agency.active()).id);
    return () => agency.api.get(`/v1/scans/${id}`);
  },

  'GET /v1/creators/{id}/cases (2 known findings)': async (agency) => {
    const { creator } = await found(agency);
    return () => agency.api.get(`/v1/creators/${creator.id}/cases`);
  },
  'GET /v1/creators/{id}/cases (2 new findings)': async (agency) => {
    const { id, userId } = await agency.active();
    await agency.leaks(userId, 2);
    return () => agency.api.get(`/v1/creators/${id}/cases`);
  },
  // A page of the platform has 100 leaks.
  'GET /v1/creators/{id}/cases (2 changed findings on 2 pages of the platform)': async (agency, { platform }) => {
    const { id, userId } = await agency.active();
    const leakIds = (await agency.leaks(userId, 101)).sort();
    await agency.api.cases(id);
    for (const leakId of [leakIds.at(0), leakIds.at(-1)]) {
      await platform.control('PATCH', `/leaks/${leakId}`, { status_code: 'removed' });
    }
    return () => agency.api.get(`/v1/creators/${id}/cases`);
  },
  'GET /v1/creators/{id}/cases (second page)': async (agency) => {
    const { creator } = await found(agency);
    const [first] = await agency.api.cases(creator.id);
    return () => agency.api.get(`/v1/creators/${creator.id}/cases?after=${first?.id}`);
  },
  'GET /v1/creators/{id}/report': async (agency) => {
    const { creator } = await found(agency);
    return () => agency.api.get(`/v1/creators/${creator.id}/report`);
  },
  'GET /v1/creators/{id}/activity': async (agency) => {
    const { creator } = await found(agency);
    return () => agency.api.get(`/v1/creators/${creator.id}/activity`);
  },
  'GET /v1/creators/{id}/impersonations': async (agency) => {
    const { creator } = await found(agency);
    return () => agency.api.get(`/v1/creators/${creator.id}/impersonations`);
  },
  'POST /v1/creators/{id}/impersonations': async (agency) => {
    const { id } = await agency.linked();
    return () => agency.api.reportImpersonation(id, 'https://www.instagram.com/not_ivy', randomUUID());
  },
  'POST /v1/creators/{id}/impersonations (repeated)': async (agency) => {
    const { id } = await agency.linked();
    const key = randomUUID();
    await agency.api.reportImpersonation(id, 'https://www.instagram.com/not_ivy', key);
    return () => agency.api.reportImpersonation(id, 'https://www.instagram.com/not_ivy', key);
  },

  'POST /v1/cases/{id}/deindex-requests': async (agency) => {
    const { finding } = await found(agency);
    return () => agency.api.requestDeindex(finding.id, randomUUID());
  },
  'GET /v1/deindex-requests/{id}': async (agency) => {
    const { finding } = await found(agency);
    const { id } = (await agency.api.requestDeindex(finding.id, randomUUID())).body as DeindexRequest;
    return () => agency.api.get(`/v1/deindex-requests/${id}`);
  },
};
