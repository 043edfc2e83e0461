import { invalidRequest } from '#kernel';

export abstract class TargetPolicy {
  /** Why an endpoint may not have this URL, by its form and by the present addresses of its host; or undefined. */
  abstract problem(url: string): Promise<string | undefined>;
}

/** Rejects with `invalid_request`, and the reason. */
export const requireAllowed = async (targets: TargetPolicy, url: string): Promise<void> => {
  const message = await targets.problem(url);
  if (message !== undefined) throw invalidRequest({ field: 'url', message });
};
