import type { ImpersonationPage, ImpersonationPlatform, NativeImpersonation } from '#impersonations';
import type { AgencyId, Effect, RefusedRecord, UserId } from '#kernel';
import { DomainError } from '#kernel';

/** The native platform's impersonation records, in memory; every user is a member until it leaves. */
export class FakeImpersonations implements ImpersonationPlatform {
  /** All that was reported, repeats included. */
  readonly reports: { readonly reference: string; readonly url: string }[] = [];
  /** Reads reject with it. */
  failure: Error | undefined;
  /** On the first page of each walk, in addition to the records. */
  refused: readonly RefusedRecord[] = [];
  private readonly records = new Map<UserId, Map<string, NativeImpersonation>>();
  private readonly answers = new Map<string, NativeImpersonation>();
  private readonly left = new Set<UserId>();
  private fault: 'lost' | { readonly code: string } | undefined;

  leave(userId: UserId): void {
    this.left.add(userId);
  }

  put(userId: UserId, record: Partial<NativeImpersonation> & { readonly nativeId: string }): NativeImpersonation {
    this.left.delete(userId);
    const { nativeId } = record;
    const url = `https://x.com/${nativeId}`;
    const plain = { platform: 'x', url, username: nativeId, status: 'open', createdAt: 0, updatedAt: 0 };
    const put = { ...plain, ...record };
    this.records.set(userId, (this.records.get(userId) ?? new Map<string, NativeImpersonation>()).set(nativeId, put));
    return put;
  }

  remove(userId: UserId, nativeId: string): void {
    this.records.get(userId)?.delete(nativeId);
  }

  /** The next report is refused, or its answer is lost after it has arrived. */
  failNext(fault: 'lost' | { readonly code: string }): void {
    this.fault = fault;
  }

  async listImpersonations(
    _agency: AgencyId,
    userId: UserId,
    { limit, after = '' }: { readonly limit: number; readonly after?: string },
  ): Promise<ImpersonationPage | undefined> {
    if (this.failure !== undefined) throw this.failure;
    if (this.left.has(userId)) return undefined;
    const following = [...(this.records.get(userId)?.values() ?? [])]
      .filter(({ nativeId }) => nativeId > after)
      .sort((one, other) => (one.nativeId < other.nativeId ? -1 : 1));
    const impersonations = following.slice(0, limit);
    const refused = after === '' ? this.refused : [];
    const nextCursor = following.length > limit ? (impersonations.at(-1)?.nativeId ?? null) : null;
    return { impersonations, refused, nextCursor };
  }

  async reportImpersonation(
    _agency: AgencyId,
    userId: UserId,
    report: { readonly reference: string; readonly url: string },
  ): Promise<Effect<NativeImpersonation>> {
    this.reports.push(report);
    const { fault } = this;
    this.fault = undefined;
    if (this.left.has(userId)) return { outcome: 'refused', code: 'not_found' };
    if (fault !== undefined && fault !== 'lost') return { outcome: 'refused', code: fault.code };
    const { reference, url } = report;
    const value = this.answers.get(reference) ?? this.put(userId, { nativeId: reference, url });
    this.answers.set(reference, value);
    if (fault === 'lost') return { outcome: 'unknown', error: new DomainError('provider_timeout') };
    return { outcome: 'done', value };
  }
}
