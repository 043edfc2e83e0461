import { textProblem, withoutInvisibleEnds } from '#kernel';

/** Lengths count Unicode code points (D7). */
export const MAX_DISPLAY_NAME_LENGTH = 160;
export const MAX_ALIAS_LENGTH = 160;
export const MAX_EXTERNAL_ID_LENGTH = 200;
export const MAX_ALIASES_PER_REQUEST = 30;
export const MAX_PROFILE_URLS_PER_REQUEST = 20;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_PERSON_NAME_LENGTH = 100;
export const MAX_WORKSPACE_ID_LENGTH = 200;

/** The form in which aliases are stored and compared (D33). */
export const normalAlias = (alias: string): string => withoutInvisibleEnds(alias.normalize('NFC'));

/** D83: the limit applies to the alias as sent and as stored, because NFC can lengthen it. */
export const aliasProblem = (alias: string): string | undefined =>
  textProblem(alias, MAX_ALIAS_LENGTH) ?? textProblem(normalAlias(alias), MAX_ALIAS_LENGTH);

/** In their form, the first ones without repeats and blank ones, at most `most`. */
export const distinctAliases = (aliases: Iterable<string>, most = Number.POSITIVE_INFINITY): string[] => {
  const distinct = new Set<string>();
  for (const alias of aliases) {
    if (distinct.size === most) break;
    const normal = normalAlias(alias);
    if (normal !== '') distinct.add(normal);
  }
  return [...distinct];
};

/** D96: two that look the same are one. D25: an automatic external id belongs only to its user. */
export const externalIdProblem = (externalId: string, userId: string | undefined): string | undefined => {
  if (externalId !== withoutInvisibleEnds(externalId)) {
    return 'must not begin or end with a blank or another character that cannot be seen; leave it out';
  }
  return externalId.startsWith('svc:') && (userId === undefined || externalId !== `svc:${userId}`)
    ? 'must not begin with svc: unless it is the automatic one of svc_user_id'
    : undefined;
};
