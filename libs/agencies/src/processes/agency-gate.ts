import { type AgencyId, DomainError, type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import type { AgencyAccess } from '../application/agency-access.js';

/** How long work is put off: for an agency that is denied, and for one that could not be verified just now (D19). */
const DENIED: Duration = MINUTE;
const UNVERIFIED: Duration = 5 * SECOND;

/** When the work may be tried again, or undefined where the agency may act now. */
export const deniedUntil = async (
  access: AgencyAccess,
  agencyId: AgencyId,
  now: Instant,
): Promise<Instant | undefined> => {
  try {
    await access.verify(agencyId);
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return now + postponement(error);
  }
};

/** For how long an agency that was refused is not asked about again. */
export const postponement = ({ code }: DomainError): Duration =>
  code === 'agency_verification_unavailable' ? UNVERIFIED : DENIED;
