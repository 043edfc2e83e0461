import { type AgencyId, DomainError, type Duration, type Instant, MINUTE, SECOND } from '#kernel';
import type { VerifiedAgency } from '../domain/agency.js';
import type { AgencyAccess } from './agency-access.js';

/** How long work is postponed: for a denied agency, and for one that could not be verified (D19). */
const RETRY_WHILE_DENIED: Duration = MINUTE;
const RETRY_WHILE_UNVERIFIED: Duration = 5 * SECOND;

export const verifiedOrDenied = async (
  access: AgencyAccess,
  agencyId: AgencyId,
  now: Instant,
): Promise<VerifiedAgency | { readonly deniedUntil: Instant }> => {
  try {
    return await access.verify(agencyId);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { deniedUntil: now + postponement(error) };
  }
};

export const deniedUntil = async (
  access: AgencyAccess,
  agencyId: AgencyId,
  now: Instant,
): Promise<Instant | undefined> => {
  const agency = await verifiedOrDenied(access, agencyId, now);
  return 'deniedUntil' in agency ? agency.deniedUntil : undefined;
};

export const postponement = ({ code }: DomainError): Duration =>
  code === 'agency_verification_unavailable' ? RETRY_WHILE_UNVERIFIED : RETRY_WHILE_DENIED;
