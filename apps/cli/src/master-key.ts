import type { Command } from 'commander';
import { invalidRequest, type RecordedEvent, type WebhookEndpointId } from '#kernel';
import type { WebhookEndpointEvent } from '#webhooks';
import type { Services } from '../../service/src/services.js';
import { operatorContext } from './operator-context.js';
import { FailedCheck } from './print.js';
import type { Register } from './program.js';

export const masterKeyCommands = (masterKey: Command, register: Register): void =>
  register(
    masterKey
      .command('rotate')
      .description('encrypt with MASTER_KEY what MASTER_KEY_PREVIOUS encrypts; run it when all processes have both'),
    () => async (services) => resultOf(await rotateMasterKey(services)),
  );

type Rotating = Pick<
  Services,
  'masterKeys' | 'sentinel' | 'personalKeys' | 'sealing' | 'clock' | 'log' | 'webhookEndpoints'
>;

export interface Rotated {
  /** Personal keys that were under the previous master key. */
  readonly rewrapped: number;
  /** Webhook secrets that were. */
  readonly reencrypted: number;
  /** Creators and webhook endpoints of which a key or a secret is under neither master key; left out where there are none. */
  readonly unreadable?: readonly string[];
}

/** The result to print: a failed check if something is encrypted with neither key. */
export const resultOf = (rotated: Rotated): Rotated | FailedCheck =>
  rotated.unreadable === undefined ? rotated : new FailedCheck(asText(rotated), rotated);

const asText = ({ rewrapped, reencrypted, unreadable = [] }: Rotated): string =>
  [
    `The rotation has ended: ${rewrapped} personal keys and ${reencrypted} webhook secrets were re-encrypted.`,
    'Encrypted with neither master key, and unchanged:',
    ...unreadable.map((id) => `  ${id}`),
  ].join('\n');

/**
 * D85: the sentinel first, so that nothing more is encrypted under the previous key, then all that is. Each step may be
 * repeated: interrupted anywhere, the same command finishes it. The previous key is needed until it has. What neither
 * key decrypts does not hold it up.
 */
export const rotateMasterKey = async (services: Rotating): Promise<Rotated> => {
  const { masterKeys, sentinel, personalKeys, sealing, clock } = services;
  const { previous } = masterKeys;
  if (previous === null) {
    throw invalidRequest({ field: 'MASTER_KEY_PREVIOUS', message: 'must be set to the key that MASTER_KEY replaces' });
  }
  await sentinel.begin();
  masterKeys.encryptWith(0);
  const [keys, secrets] = [await personalKeys.rewrapAll(), await reencryptSecrets(services)];
  if (await isUnderWay(services)) await sealing.changeKey(previous.sealKey, clock.now());
  // Of a process that was killed between making a key or a secret and learning that the rotation has begun.
  const [lateKeys, lateSecrets] = [await personalKeys.rewrapAll(), await reencryptSecrets(services)];
  await sentinel.end();
  const unreadable = [
    ...new Set<string>([keys, lateKeys, secrets, lateSecrets].flatMap((pass) => [...pass.unreadable])),
  ];
  return {
    rewrapped: keys.rewrapped + lateKeys.rewrapped,
    reencrypted: secrets.reencrypted + lateSecrets.reencrypted,
    ...(unreadable.length > 0 && { unreadable }),
  };
};

/** False for one that has ended before, and for keys of which the previous one was never in use. */
const isUnderWay = async ({ sentinel }: Rotating): Promise<boolean> => {
  const opened = await sentinel.read();
  return typeof opened === 'object' && opened.replacing !== undefined;
};

/** Of all endpoints of the log, disabled ones too: they may be enabled again with the same secret. */
const reencryptSecrets = async ({
  log,
  webhookEndpoints,
}: Rotating): Promise<{ readonly reencrypted: number; readonly unreadable: readonly WebhookEndpointId[] }> => {
  const context = operatorContext();
  let reencrypted = 0;
  const unreadable: WebhookEndpointId[] = [];
  for (let after = 0; ; ) {
    const page = await log.readLog({ after, types: REGISTERED });
    for (const { data } of page.events as readonly RecordedEvent<Registration>[]) {
      const outcome = await webhookEndpoints.reencrypt(data.endpointId, context);
      reencrypted += outcome.reencrypted;
      if (outcome.unreadable > 0) unreadable.push(data.endpointId);
    }
    if (page.atEnd) return { reencrypted, unreadable };
    after = page.reached;
  }
};

type Registration = Extract<WebhookEndpointEvent, { type: 'webhookEndpoint.registered.v2' }>;
const REGISTERED: ReadonlySet<string> = new Set<Registration['type']>(['webhookEndpoint.registered.v2']);
