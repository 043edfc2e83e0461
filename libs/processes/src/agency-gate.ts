import type { AgencyAccess } from '#agencies';
import { type AgencyId, DomainError, type Duration, type Instant, MINUTE } from '#kernel';

/** How long work for an agency that is denied is put off (D19). */
const PUT_OFF: Duration = MINUTE;

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
    if (error instanceof DomainError) return now + PUT_OFF;
    throw error;
  }
};
