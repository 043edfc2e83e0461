import type { Command } from 'commander';
import { type EventSelection, type Moment, ReadHistory } from '#audit';
import { invalidRequest, type RecordedEvent, type StreamName, streamName } from '#kernel';
import { asMoment, asStream, idOption } from './arguments.js';
import { jsonText, type Printable } from './print.js';
import type { Register } from './register.js';

interface HistoryOptions {
  readonly stream?: StreamName;
  readonly creator?: string;
  readonly scan?: string;
  readonly case?: string;
  readonly deindex?: string;
  readonly key?: string;
  readonly correlation?: string;
  readonly causation?: string;
  readonly type?: readonly string[];
  readonly from?: Moment;
  readonly to?: Moment;
  readonly reveal?: true;
}

export const historyCommand = (events: Command, register: Register): void =>
  register.reading(
    events
      .command('history')
      .description('show the events of the log that meet all conditions, in order')
      .option('--stream <name>', 'of one stream, <category>-<id>', asStream)
      .option('--creator <crt>', 'about a creator', idOption('creator', 'creator'))
      .option('--scan <scn>', 'about a scan', idOption('scan', 'scan'))
      .option('--case <cas>', 'about a case', idOption('case', 'case'))
      .option('--deindex <dix>', 'about a deindex request', idOption('deindex', 'deindexRequest'))
      .option('--key <key>', 'caused by a key, or about it', idOption('key', 'key'))
      .option('--correlation <id>', 'of one request, or one run of a process')
      .option('--causation <event>', 'what led to an event, and what it led to')
      .option('--type <types...>', 'of these types, or with these prefixes, such as scan.queued or case.')
      .option('--from <moment>', 'not before a time or an event', asMoment)
      .option('--to <moment>', 'not after a time or an event', asMoment)
      .option('--reveal', 'show names, aliases, emails and URLs'),
    async ({ queries }, options: HistoryOptions) => {
      requireOrder(options);
      const history = new ReadHistory(asSelection(options), streamsOf(options), options.reveal === true);
      return printable(await queries.execute(history));
    },
  );

const requireOrder = ({ from, to }: HistoryOptions): void => {
  if (from?.kind === 'time' && to?.kind === 'time' && from.at > to.at) {
    throw invalidRequest({ field: 'to', message: 'must not be before --from' });
  }
};

const streamsOf = ({ creator, scan, case: caseId, deindex, key }: HistoryOptions): StreamName[] =>
  Object.entries({ creator, scan, case: caseId, deindexRequest: deindex, apiKey: key }).flatMap(([category, id]) =>
    id === undefined ? [] : [streamName(category, id)],
  );

const asSelection = (options: HistoryOptions): EventSelection => {
  const { stream, creator, scan, case: caseId, deindex, key, correlation, causation, type, from, to } = options;
  const about = [creator, scan, caseId, deindex].filter((id) => id !== undefined);
  return { stream, about, key, correlationId: correlation, causation, types: type, from, to };
};

async function* printable(events: AsyncIterable<RecordedEvent>): AsyncGenerator<Printable> {
  for await (const event of events) yield new PrintableEvent(event);
}

/** An event as an auditor reads it. Its position belongs to the store, and is not shown. */
class PrintableEvent implements Printable {
  constructor(private readonly event: RecordedEvent) {}

  toJSON(): object {
    const { id, stream, revision, type, data, metadata } = this.event;
    const { at, actor, correlationId, causationId, workspaceId, ...rest } = metadata;
    return {
      id,
      stream,
      revision,
      type,
      at,
      actor,
      correlation_id: correlationId,
      causation_id: causationId,
      workspace_id: workspaceId,
      ...rest,
      data,
    };
  }

  toString(): string {
    const { id, stream, revision, type, data, metadata } = this.event;
    const { at, actor, correlationId, causationId } = metadata;
    const cause = causationId === null ? '' : ` after ${causationId}`;
    return [
      `${new Date(at).toISOString()}  ${type}`,
      `  ${stream} #${revision}  event ${id}`,
      `  by ${actor} in ${correlationId}${cause}`,
      ...Object.entries(data).map(([name, value]) => `  ${name}: ${jsonText(value)}`),
    ].join('\n');
  }
}
