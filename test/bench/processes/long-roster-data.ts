import { ALL_PROJECTIONS } from '#contexts';
import type { CreatorEvent, RosterEvent } from '#creators';
import {
  agencyId,
  type CreatorId,
  derivedId,
  derivedUuid,
  type EventToAppend,
  newEventId,
  processContext,
  streamName,
  type UserId,
  type WorkspaceId,
} from '#kernel';
import { bindAgency, issueKey } from '../../support/agency-commands.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import { ledRebuild } from '../led-rebuild.js';
import type { SandboxReady } from './sandbox.js';
import { openBenchService } from './service.js';

export interface RosterSettings {
  readonly agency: string;
  /** The platform's members, all of them linked. */
  readonly userIds: readonly string[];
  /** Links that take a seat, those of the members among them. */
  readonly living: number;
  /** Invitations that were refused. */
  readonly ended: number;
}

export interface LongRosterSettings {
  readonly dir: string;
  readonly sandbox: SandboxReady;
  readonly rosters: readonly RosterSettings[];
}

export interface LongRosterReady {
  /** For each agency. */
  readonly keys: readonly string[];
}

const AN_APPEND = 200;
/** External ids of the greatest length, as an agency sends that wants a large state. */
const LONG = '🦊'.repeat(190);

/** Agencies with such rosters, whose members have been read once. */
const { dir, sandbox, rosters } = await settingsOf<LongRosterSettings>();
const service = await openBenchService(dir, 'durable', sandbox);
const { services } = service;
const identity = { displayName: 'Jane Example', aliases: ['Jane E.'], profiles: [] };
const invitee = { email: 'jane@example.com', firstName: 'Jane', lastName: 'Example', locale: 'en' } as const;

const append = async (
  category: string,
  id: CreatorId | WorkspaceId,
  facts: readonly (RosterEvent | CreatorEvent)[],
  workspaceId: WorkspaceId,
) => {
  const metadata = { at: Date.now(), correlationId: 'bench', causationId: null, actor: 'process:bench', workspaceId };
  for (let from = 0, revision = -1; from < facts.length; from += AN_APPEND) {
    const some = facts.slice(from, from + AN_APPEND);
    const events = some.map(({ type, data }): EventToAppend => ({ id: newEventId(), type, data, metadata }));
    ({ revision } = await services.log.append(streamName(category, id), revision < 0 ? 'none' : revision, events));
  }
};

const fill = async ({ agency, userIds, living, ended }: RosterSettings): Promise<string> => {
  const id = agencyId(agency);
  const workspaceId = derivedId('workspace', id);
  const context = processContext('bench', workspaceId, { id: 'bench', correlationId: 'bench' });
  await bindAgency(services, id, context);
  const { secret } = await issueKey(services, id, { preset: 'read_write', lifetime: 'none' }, context);
  const facts = Array.from({ length: living + ended }, (_, n): readonly RosterEvent[] => {
    const creatorId = derivedId('creator', id, n);
    const userId = n < living ? ((userIds[n] ?? derivedUuid(id, n)) as UserId) : null;
    const submitted = { identity, invitee: userId === null ? invitee : null };
    const personal = { externalId: `${n}-${LONG}`, fingerprint: derivedUuid('body', n), submitted };
    const enrolled = { creatorId, agencyId: id, epoch: 1, userId, personal };
    if (userId !== null) return [{ type: 'roster.creatorAdmitted.v1', data: { ...enrolled, via: 'link' } }];
    return [
      { type: 'roster.creatorAdmitted.v1', data: { ...enrolled, via: 'invitation' } },
      { type: 'roster.creatorReleased.v1', data: { creatorId, reason: 'failed' } },
    ];
  });
  await append('roster', workspaceId, facts.flat(), workspaceId);
  for (const [n, userId] of userIds.entries()) {
    const creatorId = derivedId('creator', id, n);
    const personal = { externalId: `${n}-${LONG}`, identity };
    const enrolled = { creatorId, workspaceId, agencyId: id, epoch: 1, userId: userId as UserId, personal };
    const steps: CreatorEvent[] = [
      { type: 'creator.enrolledByLink.v1', data: enrolled },
      { type: 'creator.identityWritten.v1', data: {} },
    ];
    await append('creator', creatorId, steps, workspaceId);
  }
  return secret;
};

const keys: string[] = [];
for (const roster of rosters) keys.push(await fill(roster));
await ledRebuild(ALL_PROJECTIONS, services.log, services.documents);
await service.close();
sendToParent({ keys } satisfies LongRosterReady);
