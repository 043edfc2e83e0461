import { type CreatorEvent, creatorDecider, isFound } from '#creators';
import {
  type AgencyId,
  agencyId,
  type CommandContext,
  type CreatorId,
  derivedId,
  processContext,
  type UserId,
} from '#kernel';
import { bindAgency, issueKey as issueKeyTo } from '../../support/agency-commands.js';
import type { Services } from '../../support/open-service.js';

export const AGENCY: AgencyId = agencyId('agency_bench');

const workspaceId = derivedId('workspace', AGENCY);
const context = (): CommandContext => processContext('bench', workspaceId, { id: 'bench', correlationId: 'bench' });
const CONCURRENCY = 50;

/** Binds the agency and issues a key that may do everything; the platform has to know the agency. */
export const issueKey = async (services: Services): Promise<string> => {
  await bindAgency(services, AGENCY, context());
  return (await issueKeyTo(services, AGENCY, { preset: 'read_write', lifetime: 'none' }, context())).secret;
};

/** Creators of the platform's roster as they are once protection is on. */
export const activeCreators = async (services: Services, userIds: readonly string[]): Promise<CreatorId[]> => {
  const creatorIds: CreatorId[] = [];
  for (let from = 0; from < userIds.length; from += CONCURRENCY) {
    const some = userIds.slice(from, from + CONCURRENCY);
    creatorIds.push(...(await Promise.all(some.map((userId) => activeCreator(services, userId as UserId)))));
  }
  return creatorIds;
};

const activeCreator = async ({ runner, creators }: Services, userId: UserId): Promise<CreatorId> => {
  const creatorId = derivedId('creator', AGENCY, userId);
  const enrolled = { creatorId, workspaceId, agencyId: AGENCY, epoch: 1 };
  const imported = await runner.run(creatorDecider, creatorId, context(), (): CreatorEvent[] => [
    { type: 'creator.imported.v1', data: { ...enrolled, userId, personal: { externalId: userId } } },
  ]);
  if (!isFound(imported)) throw new Error('the creator was not imported');
  await creators.refreshed(imported, context());
  const activationId = creatorId;
  await runner.run(creatorDecider, creatorId, context(), (): CreatorEvent[] => [
    { type: 'creator.activationRequested.v1', data: { activationId } },
    { type: 'creator.protectionActivated.v1', data: { activationId, reason: 'api_request' } },
  ]);
  return creatorId;
};
