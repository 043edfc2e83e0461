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

/** An impersonation as the native platform records it; private notes and contacts are not even read. */
export interface NativeImpersonation extends ImpersonationRecord {
  readonly nativeId: string;
}

export interface ImpersonationRecord {
  readonly platform: string;
  readonly url: string;
  readonly username: string | null;
  readonly status: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

interface About {
  readonly impersonationId: ImpersonationId;
  readonly creatorId: CreatorId;
}

export type RecordedImpersonation = Omit<ImpersonationRecord, 'url' | 'username'> & {
  readonly personal: Pick<ImpersonationRecord, 'url' | 'username'>;
};

type Fact<Type extends string, Data extends object> = {
  readonly type: `impersonation.${Type}.v1`;
  readonly data: Data;
};

export type ImpersonationEvent =
  | Fact<'opened', About & RecordedImpersonation & { workspaceId: WorkspaceId; nativeId: string }>
  | Fact<'changed', About & RecordedImpersonation>
  | Fact<'removed', About>
  | Fact<'restored', About & RecordedImpersonation>;

export interface KnownImpersonation {
  readonly status: 'known';
  readonly impersonationId: ImpersonationId;
  readonly creatorId: CreatorId;
  readonly workspaceId: WorkspaceId;
  readonly nativeId: string;
  readonly record: ImpersonationRecord;
  readonly available: boolean;
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

/** Derived from workspace, creator and native record: two readers of one record cannot create two impersonations. */
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

/** The answer to a report may be a remembered one, so it says nothing about an impersonation that is known. */
export function openImpersonation(
  state: ImpersonationState,
  { impersonationId, creatorId, workspaceId }: ImpersonationOf,
  native: NativeImpersonation,
): ImpersonationEvent[] {
  if (state.status === 'known') return [];
  const about = { impersonationId, creatorId, workspaceId, nativeId: native.nativeId };
  return [{ type: 'impersonation.opened.v1', data: { ...about, ...recorded(native) } }];
}

/** A complete walk did not show the record; it says nothing about what was recorded since it began. */
export function observeImpersonationRemoval(state: ImpersonationState, walk: Reading): ImpersonationEvent[] {
  if (state.status === 'unknown' || !state.available || isRecordedSince(walk, state.recordedAt)) return [];
  const { impersonationId, creatorId } = state;
  return [{ type: 'impersonation.removed.v1', data: { impersonationId, creatorId } }];
}

export const sameImpersonation = (known: ImpersonationRecord, native: NativeImpersonation): boolean =>
  isDeepStrictEqual(known, pickRecord(native));

const recorded = (native: NativeImpersonation): RecordedImpersonation => {
  const { url, username, ...rest } = pickRecord(native);
  return { ...rest, personal: { url, username } };
};

export const recordOf = (data: RecordedImpersonation): ImpersonationRecord => {
  const { url, username } = data.personal;
  return pickRecord({ ...data, url, username });
};

const pickRecord = (record: ImpersonationRecord): ImpersonationRecord => {
  const { platform, url, username, status, createdAt, updatedAt } = record;
  return { platform, url, username, status, createdAt, updatedAt };
};
