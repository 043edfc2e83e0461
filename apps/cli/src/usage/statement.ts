import { writeFile } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';
import type { Command } from 'commander';
import { type Moment, type SignedUsageStatement, SignUsageStatement } from '#audit';
import { agencyId, DomainError } from '#kernel';
import { asMoment } from '../moment-option.js';
import type { Register } from '../register.js';
import { asMonth } from './explain.js';

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
      .option('--as-of <moment>', 'the state at a time, or at an event of the log', asMoment)
      .requiredOption('--out <file>', 'where to write it; an existing file is not replaced'),
    ({ agency, month, asOf, out }: StatementOptions) =>
      async ({ commands }) => {
        const signed = await commands.execute(new SignUsageStatement(agencyId(agency), asMonth(month), asOf));
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

const written = async (file: string, signed: SignedUsageStatement): Promise<void> => {
  try {
    await writeFile(file, `${JSON.stringify(signed, undefined, 2)}\n`, { flag: 'wx' });
  } catch (cause) {
    const isThere = isNativeError(cause) && 'code' in cause && cause.code === 'EEXIST';
    const message = isThere ? 'is there already' : 'cannot be written';
    throw new DomainError('invalid_request', { fields: [{ field: file, message }], cause });
  }
};
