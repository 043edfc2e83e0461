import type { Command } from 'commander';
import { SignUsageStatement } from '#audit';
import { asPath } from '../arguments.js';
import { writeNewFile } from '../new-file.js';
import type { Register } from '../register.js';
import { type OfMonth, withMonth } from './explain.js';

interface StatementOptions extends OfMonth {
  readonly out: string;
}

export const statementCommand = (usage: Command, register: Register): void =>
  register(
    withMonth(usage.command('statement'))
      .description('sign what a month of usage consists of, so that it can be checked against a copy of the log')
      .requiredOption('--out <file>', 'where to write it; an existing file is not replaced', asPath),
    async ({ commands }, { agency, month, asOf, out }: StatementOptions) => {
      const signed = await commands.execute(new SignUsageStatement(agency, month, asOf));
      await writeNewFile(out, `${JSON.stringify(signed, undefined, 2)}\n`);
      const { explanation, log } = signed.statement;
      return {
        file: out,
        agency_id: explanation.agency_id,
        month: explanation.month,
        measured_through: explanation.measured_through,
        estimated_total_cents: explanation.totals.estimated_total_cents,
        events: log.events,
      };
    },
  );
