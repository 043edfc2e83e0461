import { InvalidArgumentError } from 'commander';
import { type Moment, parseMoment } from '#audit';

export const asMoment = (text: string): Moment => {
  const moment = parseMoment(text);
  if (moment === undefined) {
    throw new InvalidArgumentError(
      'It must be a date (its start in UTC), an ISO 8601 time with an offset, epoch milliseconds, or an event id.',
    );
  }
  return moment;
};
