import type { Agency, LinkedCreator } from './agency.js';
import { bodyOf } from './api-client.js';
import type { Case, DeindexRequest } from './resources.js';
import type { Service } from './service.js';

export interface Finding {
  readonly agency: Agency;
  readonly creator: LinkedCreator;
  readonly found: Case;
}

/** A scan that the engine has accepted, of a creator whose protection is active. */
export const acceptedScan = async (service: Service) => {
  const agency = await service.agency();
  const creator = await agency.active();
  const { id } = await agency.acceptedScan(creator.id);
  return { agency, creator, id };
};

/** Findings of a scan of this API's, on a creator whose protection is active. */
export const findingsIn = async (service: Service, count = 1): Promise<Finding & { readonly all: readonly Case[] }> => {
  const agency = await service.agency();
  const creator = await agency.active();
  const { svc_job_id } = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  await agency.leaks(creator.userId, count, { job_id: svc_job_id });
  const all = (await agency.api.cases(creator.id)).filter(({ api_deindex_supported }) => api_deindex_supported);
  const [found] = all;
  if (found === undefined) throw new Error('the scan has found nothing');
  return { agency, creator, found, all };
};

export const requestDeindex = async ({ agency, found }: Finding, key = 'k1') =>
  bodyOf<DeindexRequest>(await agency.api.requestDeindex(found.id, key));
