import type { Command } from 'commander';
import { type Moment, SignUsageStatement } from '#audit';
import { agencyId } from '#kernel';
import { asMoment } from '../moment-option.js';
import { writeNewFile } from '../new-file.js';
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
        await writeNewFile(out, `${JSON.stringify(signed, undefined, 2)}\n`);
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
