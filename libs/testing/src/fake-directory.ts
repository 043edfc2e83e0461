import type { AgencyDirectory, NativeAgency } from '#agencies';
import type { AgencyId } from '#kernel';

/** The native platform's agencies, in memory. */
export class FakeDirectory implements AgencyDirectory {
  /** Reads reject with it. */
  failure: Error | undefined;
  private readonly agencies = new Map<AgencyId, NativeAgency>();

  put(agency: NativeAgency): void {
    this.agencies.set(agency.id, agency);
  }

  async getAgency(agencyId: AgencyId): Promise<NativeAgency | undefined> {
    if (this.failure !== undefined) throw this.failure;
    return this.agencies.get(agencyId);
  }
}
