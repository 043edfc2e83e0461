import { createHmac } from 'node:crypto';
import { invalidRequest, type WorkspaceId } from '#kernel';
import type { CreatorEvent } from '../creator.events.js';
import { type CreatorState, type EnrolledCreator, hasLeft } from '../creator.state.js';
import { pauseProtection } from '../protection/protection.js';

/** Kept from an enrollment after the creator's erasure, to compare later requests with (D72). */
export interface EnrollmentHashes {
  readonly externalId: string;
  readonly fingerprint: string;
}

/** The key is not in the log: without it nobody can test which external id an erased creator had. */
export class ErasureHashes {
  /** 32 bytes, stored with the sentinel of the key store. */
  constructor(private readonly key: Buffer) {}

  of(
    workspaceId: WorkspaceId,
    { externalId, fingerprint }: { readonly externalId: string; readonly fingerprint: string },
  ): EnrollmentHashes {
    return {
      externalId: this.externalId(workspaceId, externalId),
      fingerprint: this.fingerprint(workspaceId, fingerprint),
    };
  }

  externalId(workspaceId: WorkspaceId, externalId: string): string {
    return this.hash('external id', workspaceId, externalId);
  }

  fingerprint(workspaceId: WorkspaceId, fingerprint: string): string {
    return this.hash('fingerprint', workspaceId, fingerprint);
  }

  /** D88: of an address whose mails are counted. */
  address(workspaceId: WorkspaceId, email: string): string {
    return this.hash('address', workspaceId, email.replaceAll(/\s/gu, '').toLowerCase());
  }

  private hash(...parts: readonly string[]): string {
    return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest('base64url');
  }
}

/** Enrollments that still wait for an answer from the platform, or have something to send to it. */
const UNDER_WAY: ReadonlySet<string> = new Set(['enrolling', 'uncertain', 'invited', 'pending_onboarding']);

/** From this point it is not shown or observed. Refused while an operation that needs the data is in progress. */
export function eraseCreator(state: CreatorState): CreatorEvent[] {
  if (state.status === 'unknown') throw invalidRequest({ field: 'creator', message: 'is not known' });
  if (state.membership.status === 'erased') return [];
  const isToBeWritten = state.identityToWrite !== null && state.userId !== null;
  if (UNDER_WAY.has(state.enrollment.status) || isToBeWritten) {
    throw invalidRequest({ field: 'creator', message: 'is being enrolled: cancel that first, or let it end' });
  }
  if (state.slot.activation !== null) {
    throw invalidRequest({ field: 'creator', message: 'is being activated: try again when that has finished' });
  }
  return erasureOf(state);
}

/** D101: for a restored log. The key is already destroyed, so nothing that was in progress can be read or sent. */
export function eraseCreatorWithoutKey(state: CreatorState): CreatorEvent[] {
  return state.status === 'unknown' || state.membership.status === 'erased' ? [] : erasureOf(state);
}

const erasureOf = (state: EnrolledCreator): CreatorEvent[] => {
  const ended: CreatorEvent[] = hasLeft(state) ? [] : [{ type: 'creator.membershipEnded.v1', data: {} }];
  return [...ended, ...pauseProtection(state, 'membership_ended'), { type: 'creator.personalDataErased.v1', data: {} }];
};

/** D72: recorded after the key is destroyed, so that each process drops what it has read of the creator until then. */
export function recordKeyDestroyed(state: CreatorState): CreatorEvent[] {
  if (state.status === 'unknown' || state.membership.status !== 'erased' || state.membership.keyDestroyed) return [];
  return [{ type: 'creator.personalKeyDestroyed.v1', data: {} }];
}
