import { writeFile } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';
import type { Command } from 'commander';
import { type Moment, type SignedUsageStatement, signedStatement } from '#audit';
import { agencyId, DomainError, type EventLog, invalidRequest, type RecordedEvent } from '#kernel';
import { SEALED, SEALS, type Seal, type Sealed } from '#tamper-evidence';
import { parseMonth } from '#usage';
import type { Services } from '../../../service/src/services.js';
import { asMoment } from '../moment-option.js';
import type { Register } from '../program.js';

interface StatementOptions {
  readonly agency: string;
  readonly month: string;
  readonly asOf?: Moment;
  readonly out: string;
}

export const statementCommand = (usage: Command, register: Register): void =>
  register(
    usage
      .command('statement')
      .description('sign what a month of usage consists of, so that it can be checked against a copy of the log')
      .requiredOption('--agency <id>', "the platform's agency id")
      .requiredOption('--month <YYYY-MM>', 'a month in UTC')
      .option('--as-of <moment>', 'as it stood at a time, or where the log was at an event', asMoment)
      .requiredOption('--out <file>', 'where to write it; a file that is there already is left alone'),
    ({ out, ...options }: StatementOptions) =>
      async (services) => {
        const signed = await makeStatement(services, options);
        await written(out, signed);
        const { explanation, log } = signed.statement;
        return {
          file: out,
          agency_id: explanation.agency_id,
          month: explanation.month,
          measured_through: explanation.measured_through,
          estimated_total_cents: explanation.totals.estimated_total_cents,
          last_event: log.last_event.id,
          events: log.events,
        };
      },
  );

/** Seals all that the log holds first, so that nothing is left out of it. */
export const makeStatement = async (
  { log, clock, config, accounts, sealing }: Services,
  { agency, month: text, asOf }: Omit<StatementOptions, 'out'>,
): Promise<SignedUsageStatement> => {
  await accounts.show(agencyId(agency));
  const month = parseMonth(text);
  if (month === undefined) throw invalidRequest({ field: 'month', message: 'must be a month as YYYY-MM' });
  await sealing.sealAll(clock.now());
  const request = { agencyId: agencyId(agency), month, asOf, pricing: config.pricing };
  return signedStatement(log, await sealsOf(log), request, clock.now(), await sealing.key());
};

const sealsOf = async (log: EventLog): Promise<readonly Seal[]> => {
  const events = (await log.readStream(SEALS)) as RecordedEvent<Sealed>[];
  return events
    .flatMap((event) => (event.type === SEALED ? [event] : []))
    .map(({ data: { statement, signature } }) => ({ statement, signature }));
};

const written = async (file: string, signed: SignedUsageStatement): Promise<void> => {
  try {
    await writeFile(file, `${JSON.stringify(signed, undefined, 2)}\n`, { flag: 'wx' });
  } catch (cause) {
    const isThere = isNativeError(cause) && 'code' in cause && cause.code === 'EEXIST';
    const message = isThere ? 'is there already' : 'cannot be written';
    throw new DomainError('invalid_request', { fields: [{ field: file, message }], cause });
  }
};
