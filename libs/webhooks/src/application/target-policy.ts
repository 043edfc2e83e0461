export type TargetVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Whether an endpoint may have this URL, by its form and by what its host resolves to now. */
export abstract class TargetPolicy {
  abstract check(url: string): Promise<TargetVerdict>;
}
