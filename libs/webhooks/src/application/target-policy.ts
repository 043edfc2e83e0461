import { invalidRequest } from '#kernel';

export type TargetVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Whether an endpoint may have this URL, by its form and by the present addresses of its host. */
export abstract class TargetPolicy {
  abstract check(url: string): Promise<TargetVerdict>;
}

/** Rejects with `invalid_request`, and the reason. */
export const requireAllowed = async (targets: TargetPolicy, url: string): Promise<void> => {
  const verdict = await targets.check(url);
  if (!verdict.allowed) throw invalidRequest({ field: 'url', message: verdict.reason });
};
