import type { Command } from 'commander';
import { invalidRequest } from '#kernel';
import {
  consistencyText,
  newestCheckpoint,
  type Proofs,
  parseSeal,
  proofText,
  prove,
  type Seal,
  verifierKey,
} from '#tamper-evidence';
import { asPath } from './arguments.js';
import { readJsonFile } from './files.js';
import { Text } from './print.js';
import type { Register } from './register.js';
import { type StoredLogOptions, storedLogOptions, withStoredLog } from './stores/opened-stores.js';

/** How many events one call proves: their lines and paths are in memory until they are printed. */
const MAX_EVENTS = 1_000;

interface ProveOptions extends StoredLogOptions {
  readonly from?: string;
}

export const proofCommands = (events: Command, register: Register): void => {
  register.apart(
    storedLogOptions(
      events
        .command('prove')
        .argument('[events...]', 'ids of events')
        .description('prove that events are in the sealed log, or that the log extends the one of a kept seal')
        .option('--from <file>', 'a seal that was stored outside the log', asPath),
    ),
    async (environment, { from, ...options }: ProveOptions, ids: readonly string[]) => {
      if (ids.length === 0 && from === undefined)
        throw invalidRequest({ field: 'events', message: 'are needed, or --from' });
      if (ids.length > MAX_EVENTS)
        throw invalidRequest({ field: 'events', message: `must be at most ${MAX_EVENTS} in one call` });
      const kept = from === undefined ? undefined : asSeal(from);
      const proofs = await withStoredLog(environment, options, (log, { key, trusted }) =>
        prove(log, key, new Set(ids), { from: kept, trusted }),
      );
      if (proofs.missing.length > 0) {
        const message = `are not in the log up to its newest checkpoint: ${proofs.missing.join(', ')}`;
        throw invalidRequest({ field: 'events', message });
      }
      return printable(proofs);
    },
  );
  register.apart(
    storedLogOptions(
      events.command('checkpoint').description('print the newest checkpoint of the log, to be stored outside the log'),
    ),
    async (environment, options: StoredLogOptions) =>
      withStoredLog(environment, options, async (log, { key, trusted }) => {
        const { checkpoint, statement, signer } = await newestCheckpoint(log, key, trusted);
        const origin = checkpoint.slice(0, checkpoint.indexOf('\n'));
        const value = { checkpoint, origin, events: statement.count, verifier_key: verifierKey(origin, signer) };
        return new Text(checkpoint, value);
      }),
  );
};

export const asSeal = (file: string): Seal => {
  const seal = parseSeal(readJsonFile(file));
  if (seal === undefined)
    throw invalidRequest({ field: 'seal', message: 'must be a file with what `events seal` prints' });
  return seal;
};

/** A single proof is printed as it is, several as a sequence. */
const printable = ({ events, consistency }: Proofs): Text | AsyncIterable<Text> => {
  const texts = events.map((proof) => new Text(proofText(proof), proof));
  if (consistency !== undefined) texts.push(new Text(consistencyText(consistency), consistency));
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : inTurn(texts);
};

async function* inTurn(texts: readonly Text[]): AsyncGenerator<Text> {
  yield* texts;
}
