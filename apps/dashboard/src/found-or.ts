import { DomainError } from '#kernel';

/** What a query of a bound agency finds; nothing for one that was never bound. */
export const unlessUnbound = async <Found>(found: Promise<Found>, nothing: Found): Promise<Found> => {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return nothing;
    throw error;
  }
};

/** What a query finds; null while the platform, or the log, does not say. */
export const unlessRefused = async <Found>(found: Promise<Found>): Promise<Found | null> => {
  try {
    return await found;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};
