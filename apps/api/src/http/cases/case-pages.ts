import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CasesOptions, ListCases, publicCase, SynchronizeCases } from '#cases';
import { type Access, cursorParam, idParam } from '#http';
import { parseId } from '#kernel';

/** Pages of a creator's cases, the same as JSON and as CSV. */
@Injectable()
export class CasePages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly options: CasesOptions,
  ) {}

  async read(id: string, { scope, context }: Access, limit: number, cursor: string | undefined) {
    const page = { limit, ...cursorParam(cursor, (text) => parseId('case', text)) };
    const creatorId = idParam('creator', id);
    await this.commands.execute(new SynchronizeCases(creatorId, scope, page.after, context));
    const { rows, nextCursor } = await this.queries.execute(new ListCases(scope.workspaceId, creatorId, page));
    return { cases: rows.map((row) => publicCase(row, this.options.faviconTemplate)), nextCursor };
  }
}
