import type { Case, DeindexRequest } from '#client';
import type { Agency, LinkedCreator } from './agency.js';
import { bodyOf } from './api-client.js';
import type { Service } from './service.js';

export interface Finding {
  readonly agency: Agency;
  readonly creator: LinkedCreator;
  readonly found: Case;
}

/** A finding of a scan of this API's, on a creator whose protection is active. */
export const findingIn = async (service: Service): Promise<Finding> => {
  const agency = await service.agency();
  const creator = await agency.active();
  const { svc_job_id } = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  await agency.leaks(creator.userId, 1, { job_id: svc_job_id });
  const found = (await agency.api.cases(creator.id)).find(({ api_deindex_supported }) => api_deindex_supported);
  if (found === undefined) throw new Error('the scan has found nothing');
  return { agency, creator, found };
};

export const requestDeindex = async ({ agency, found }: Finding) =>
  bodyOf<DeindexRequest>(await agency.api.requestDeindex(found.id, 'k1'));
