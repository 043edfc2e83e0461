import type { Command } from 'commander';
import { checkStatement, type StatementVerdict } from '#audit';
import { asPath } from '../arguments.js';
import { readJsonFile } from '../given-file.js';
import { FailedCheck, Text } from '../print.js';
import type { Register } from '../register.js';
import { type StoredLogOptions, storedLogOptions, withStoredLog } from '../stores/stored-log.js';
import { money } from './amounts.js';

export const checkCommand = (usage: Command, register: Register): void =>
  register.apart(
    storedLogOptions(
      usage
        .command('check')
        .argument('<file>', 'a signed statement', asPath)
        .description('check a statement against the log, or a copy of it; needs only the public key'),
    ),
    async (environment, options: StoredLogOptions, file) => {
      const value = readJsonFile(file);
      const verdict = await withStoredLog(environment, options, (log, { key, trusted }) =>
        checkStatement(value, log, key, trusted),
      );
      const [words, json] = [inWords(verdict), asJson(verdict)];
      return verdict.faults.length === 0 ? new Text(words, json) : new FailedCheck(words, json);
    },
  );

const asJson = ({ statement, faults }: StatementVerdict) => ({
  valid: faults.length === 0,
  agency_id: statement?.explanation.agency_id ?? null,
  month: statement?.explanation.month ?? null,
  events: statement?.log.events ?? null,
  faults,
});

const inWords = ({ statement, faults }: StatementVerdict): string => {
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`);
  const verdict = faults.length === 0 ? 'valid   yes' : 'valid   no';
  if (statement === undefined) return [verdict, ...lines].join('\n');
  const { explanation, log } = statement;
  // A statement that does not hold may have any form.
  if (faults.length > 0)
    return [`month   ${explanation.month} of ${explanation.agency_id}`, verdict, ...lines].join('\n');
  const { totals, price } = explanation;
  return [
    `month   ${explanation.month} of ${explanation.agency_id}, through ${explanation.measured_through}`,
    `total   ${money(totals.estimated_total_cents, price.currency)}`,
    `events  ${log.events}`,
    verdict,
  ].join('\n');
};
