import { type Command, Option } from 'commander';
import { IssueKey, KEY_LIFETIMES, type KeyLifetime, ListKeys, PRESETS, type Preset, RevokeKey } from '#agencies';
import { publicRefusedRequest } from '#dashboard';
import { idArgument, type OfAgency, withAgency } from './arguments.js';
import { type Operator, operatorContext } from './operator.js';
import type { Register } from './register.js';

interface IssueOptions extends OfAgency {
  readonly preset: Preset;
  readonly name?: string;
  readonly lifetime: KeyLifetime;
}

export const addCommands = (keys: Command, register: Register): void => {
  register.revealing(
    withAgency(keys.command('issue'))
      .description('issue a key; its secret is shown only once')
      .addOption(new Option('--preset <preset>').choices(Object.keys(PRESETS)).makeOptionMandatory())
      .option('--name <name>', 'a label, at most 80 characters')
      .addOption(new Option('--lifetime <lifetime>').choices(Object.keys(KEY_LIFETIMES)).default('90d')),
    async ({ commands }, { agency, preset, name, lifetime }: IssueOptions) => {
      const command = new IssueKey(agency, { preset, name, lifetime }, operatorContext());
      const { key, secret } = await commands.execute(command);
      return { id: key.keyId, secret, scopes: key.scopes, expires_at: key.expiresAt };
    },
    (id) => `keys revoke ${id}`,
  );
  register(withAgency(keys.command('list').description("list an agency's keys")), listKeys);
  register(
    keys.command('revoke <key_id>').description('revoke a key immediately'),
    async ({ commands }, _options, id) => {
      const keyId = idArgument('key', 'key', id);
      const key = await commands.execute(new RevokeKey(keyId, operatorContext()));
      return { id: keyId, revoked_at: key.status === 'revoked' ? key.revokedAt : null };
    },
  );
  register(
    keys.command('calls <key_id>').description("show a key's calls of the last 7 days by route"),
    async ({ calls }, _options, id) => calls.byRoute(idArgument('key', 'key', id)),
  );
  register(
    withAgency(
      keys
        .command('refused')
        .description("show the latest refused or failed requests with an agency's keys, newest first"),
    ),
    listRefused,
  );
};

const listRefused = async ({ refused }: Operator, { agency }: OfAgency) => {
  const requests = await refused.latest(agency);
  return requests.map((request) => {
    const problems = request.problems.map(({ field, rule }) => `${field} ${rule}`).join('; ');
    return { ...publicRefusedRequest(request), problems };
  });
};

const listKeys = async ({ queries, runners }: Operator, { agency }: OfAgency) => {
  const keys = await runners.withReadModels(() => queries.execute(new ListKeys(agency)));
  return keys.map(({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }) => ({
    id,
    name,
    scopes,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
    last_used_at: lastUsedAt,
  }));
};
