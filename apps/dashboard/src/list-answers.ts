import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Instant } from '#kernel';

/** A whole list. */
export const ListOf = <Item>(item: Type<Item>) => {
  class ListAnswer {
    @ApiProperty({ type: [item] })
    readonly data!: readonly Item[];
  }
  return ListAnswer;
};

/** A page of a list. */
export const PageOf = <Item>(item: Type<Item>) => {
  class PageAnswer extends ListOf(item) {
    @ApiProperty({ type: String, nullable: true })
    readonly next_cursor!: string | null;
  }
  return PageAnswer;
};

/** A page of what a search has found. */
export const FoundPageOf = <Item>(item: Type<Item>) => {
  class FoundPageAnswer extends PageOf(item) {
    /** The time of the last item that was read, if the search has stopped before it was complete. */
    @ApiProperty({ type: Number, nullable: true })
    readonly searched_until!: Instant | null;
  }
  return FoundPageAnswer;
};
