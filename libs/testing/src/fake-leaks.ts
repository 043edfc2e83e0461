import type { LeakPage, LeakPlatform, NativeLeak } from '#cases';
import type { AgencyId, Instant, RefusedRecord, UserId } from '#kernel';

/** The native platform's leak records, in memory. */
export class FakeLeaks implements LeakPlatform {
  readonly reads: { readonly userId: UserId; readonly updatedSince: Instant | undefined }[] = [];
  /** Reads reject with it. */
  failure: Error | undefined;
  /** On the first page of each walk, in addition to the records. */
  refused: readonly RefusedRecord[] = [];
  private readonly members = new Map<UserId, Map<string, NativeLeak>>();

  /** Makes the user a member; one that is no member has no records to show. */
  join(userId: UserId): void {
    if (!this.members.has(userId)) this.members.set(userId, new Map());
  }

  leave(userId: UserId): void {
    this.members.delete(userId);
  }

  put(userId: UserId, leak: Partial<NativeLeak> & { readonly leakId: string }): void {
    this.join(userId);
    const put: NativeLeak = {
      url: `https://leaks.example/${leak.leakId}`,
      status: 'found',
      statusCode: 'found',
      actionable: null,
      deadOnArrival: null,
      createdAt: 0,
      updatedAt: 0,
      jobId: null,
      ...leak,
    };
    this.members.get(userId)?.set(leak.leakId, put);
  }

  remove(userId: UserId, leakId: string): void {
    this.members.get(userId)?.delete(leakId);
  }

  async listLeaks(
    _agency: AgencyId,
    userId: UserId,
    page: { readonly limit: number; readonly after?: string; readonly updatedSince?: Instant },
  ): Promise<LeakPage | undefined> {
    const { limit, after = '', updatedSince } = page;
    this.reads.push({ userId, updatedSince });
    if (this.failure !== undefined) throw this.failure;
    const records = this.members.get(userId);
    if (records === undefined) return undefined;
    const following = [...records.values()]
      .filter(({ leakId, updatedAt }) => leakId > after && updatedAt >= (updatedSince ?? 0))
      .sort((one, other) => (one.leakId < other.leakId ? -1 : 1));
    const leaks = following.slice(0, limit);
    const refused = after === '' ? this.refused : [];
    return { leaks, refused, nextCursor: following.length > limit ? (leaks.at(-1)?.leakId ?? null) : null };
  }
}
