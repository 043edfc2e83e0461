import { isDeepStrictEqual } from 'node:util';
import {
  type CreatorId,
  type Decider,
  derivedId,
  type ImpersonationId,
  type Instant,
  isRecordedSince,
  type Reading,
  unknownEvent,
  type WorkspaceId,
} from '#kernel';
import type { ImpersonationEvent, ImpersonationRecord, RecordedImpersonation } from './impersonation.events.js';
import type { NativeImpersonation } from './native-impersonation.js';

export interface KnownImpersonation {
  readonly status: 'known';
  readonly impersonationId: ImpersonationId;
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly nativeId: string;
  readonly record: ImpersonationRecord;
  readonly available: boolean;
  /** When its last event was recorded. */
  readonly recordedAt: Instant;
}

export type ImpersonationState = { readonly status: 'unknown' } | KnownImpersonation;

export const impersonationDecider: Decider<ImpersonationState, ImpersonationEvent> = {
  category: 'impersonation',
  initial: { status: 'unknown' },
  evolve: (state, event, at) => {
    if (event.type === 'impersonation.opened.v1') {
      const { impersonationId, creatorId, workspaceId, nativeId } = event.data;
      const about = { impersonationId, creatorId, workspaceId, nativeId };
      return { status: 'known', ...about, record: recordOf(event.data), available: true, recordedAt: at };
    }
    if (state.status === 'unknown') return state;
    const known = { ...state, recordedAt: at };
    switch (event.type) {
      case 'impersonation.changed.v1':
        return { ...known, record: recordOf(event.data) };
      case 'impersonation.removed.v1':
        return { ...known, available: false };
      case 'impersonation.restored.v1':
        return { ...known, record: recordOf(event.data), available: true };
      default:
        return unknownEvent(event, state);
    }
  },
};

type ImpersonationOf = Pick<KnownImpersonation, 'impersonationId' | 'creatorId' | 'workspaceId'>;

/** Follows from workspace, creator and native record: two readers of one record cannot make two impersonations. */
export const impersonationIdOf = (workspaceId: WorkspaceId, creatorId: CreatorId, nativeId: string): ImpersonationId =>
  derivedId('impersonation', workspaceId, creatorId, nativeId);

/** Nothing for what is known or older. A walk that began before a removal read the record before it went. */
export function observeImpersonation(
  state: ImpersonationState,
  of: ImpersonationOf,
  native: NativeImpersonation,
  walk: Reading,
): ImpersonationEvent[] {
  if (state.status === 'unknown') return openImpersonation(state, of, native);
  if (native.updatedAt < state.record.updatedAt) return [];
  const { impersonationId, creatorId } = state;
  const data = { impersonationId, creatorId, ...recorded(native) };
  if (!state.available) {
    return isRecordedSince(walk, state.recordedAt) ? [] : [{ type: 'impersonation.restored.v1', data }];
  }
  return sameImpersonation(state.record, native) ? [] : [{ type: 'impersonation.changed.v1', data }];
}

/** The answer to a report may be a remembered one, so that it says nothing of an impersonation that is known. */
export function openImpersonation(
  state: ImpersonationState,
  { impersonationId, creatorId, workspaceId }: ImpersonationOf,
  native: NativeImpersonation,
): ImpersonationEvent[] {
  if (state.status === 'known') return [];
  const about = { impersonationId, creatorId, workspaceId, nativeId: native.nativeId };
  return [{ type: 'impersonation.opened.v1', data: { ...about, ...recorded(native) } }];
}

/** A complete walk did not show the record; it shows nothing about what was recorded since it began. */
export function observeImpersonationRemoval(state: ImpersonationState, walk: Reading): ImpersonationEvent[] {
  if (state.status === 'unknown' || !state.available || isRecordedSince(walk, state.recordedAt)) return [];
  const { impersonationId, creatorId } = state;
  return [{ type: 'impersonation.removed.v1', data: { impersonationId, creatorId } }];
}

export const sameImpersonation = (known: ImpersonationRecord, native: NativeImpersonation): boolean =>
  isDeepStrictEqual(known, pickRecord(native));

const recorded = ({ platform, url, username, status, createdAt, updatedAt }: NativeImpersonation) => ({
  platform,
  status,
  createdAt,
  updatedAt,
  personal: { url, username },
});

export const recordOf = (data: RecordedImpersonation): ImpersonationRecord => {
  const { url, username } = data.personal;
  return pickRecord({ ...data, url, username });
};

/** Only the members that are compared and shown. */
const pickRecord = (record: ImpersonationRecord): ImpersonationRecord => {
  const { platform, url, username, status, createdAt, updatedAt } = record;
  return { platform, url, username, status, createdAt, updatedAt };
};
