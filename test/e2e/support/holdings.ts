import type { Creator, DeindexRequest, Page } from '#client';
import { MINUTE } from '#kernel';
import type { Agency } from './agency.js';
import { bodyOf } from './api-client.js';
import type { Service } from './service.js';

/** One of each kind that an agency can hold, in a state in which everything can be asked of it. */
export interface Holdings {
  readonly workspaceId: string;
  /** A user of its roster that is not enrolled yet. */
  readonly userId: string;
  /** The body that enrolled the creator. */
  readonly enrollment: object;
  /** Linked and active, with findings, and no scan pending. */
  readonly creatorId: string;
  readonly creatorUserId: string;
  /** An invitee for each purpose, whose invitation can be sent again. */
  inviteeFor(purpose: string): string;
  /** Completed. */
  readonly scanId: string;
  /** Found by that scan, not yet asked to be taken out of the index. */
  readonly caseId: string;
  /** For another finding of the same scan. */
  readonly deindexRequestId: string;
  readonly deindexedCaseId: string;
  readonly impersonationId: string;
  /** A cursor into the creator's activity, after its first record. */
  readonly activityCursor: string;
}

export const holdingsOf = async (service: Service, agency: Agency): Promise<Holdings> => {
  const creatorUserId = await agency.user();
  const enrollment = agency.linkBody(creatorUserId);
  const { id: creatorId } = bodyOf<Creator>(await agency.api.enroll(enrollment));
  bodyOf(await agency.api.protect(creatorId, 'active'));
  const { id: scanId, svc_job_id } = await agency.scanThatIs(
    'completed',
    (await agency.scan(creatorId, 'first scan')).id,
  );
  await agency.leaks(creatorUserId, 2, { job_id: svc_job_id });
  await agency.impersonations(creatorUserId, 2);
  const [found, other] = (await agency.api.cases(creatorId)).filter(({ scan_id }) => scan_id === scanId);
  if (found === undefined || other === undefined) throw new Error('the scan has found too little');
  const { id: deindexRequestId } = bodyOf<DeindexRequest>(await agency.api.requestDeindex(other.id, 'holdings'));
  const [impersonation] = await agency.api.impersonations(creatorId);
  const activity = await agency.api.got<Page<object>>(`/v1/creators/${creatorId}/activity?limit=1`);
  if (impersonation === undefined || activity.next_cursor === null) throw new Error('there is too little to list');
  const invitees = [await agency.invited(), await agency.invited(), await agency.invited()].map(({ id }) => id);
  const purposes = new Map<string, string>();
  // D39: one a minute, the first sending included.
  await service.pass(MINUTE);
  return {
    workspaceId: agency.workspaceId,
    userId: await agency.user(),
    enrollment,
    creatorId,
    creatorUserId,
    inviteeFor(purpose) {
      const invitee = purposes.get(purpose) ?? invitees.pop();
      if (invitee === undefined) throw new Error('there are too few invitees');
      purposes.set(purpose, invitee);
      return invitee;
    },
    scanId,
    caseId: found.id,
    deindexRequestId,
    deindexedCaseId: other.id,
    impersonationId: impersonation.id,
    activityCursor: activity.next_cursor,
  };
};
