import type { AgencyId } from '#kernel';
import type { NativeAgency } from '../domain/native-agency.js';

export abstract class AgencyDirectory {
  /** Undefined for an agency that the platform does not know. Rejects if the platform does not answer, or wrongly. */
  abstract getAgency(agencyId: AgencyId): Promise<NativeAgency | undefined>;
}
