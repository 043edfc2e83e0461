import type { SlotPage } from '#creators';
import type { UserId } from '#kernel';
import { ContractViolation, type Fields, fence, fieldsOf, userId } from '../fields.js';
import { nextUserOf, requireAscending } from './page.js';

const parseSlot = (record: Fields) => ({ userId: userId(record, 'user_id'), fence: fence(record, 'fence') });

/** A page with a record that cannot be read is refused as a whole: a slot that is left out would count as missing. */
export const parseSlotPage =
  ({ limit, after }: { readonly limit: number; readonly after?: UserId }) =>
  (body: unknown): SlotPage => {
    const fields = fieldsOf(body);
    const { data } = fields;
    if (!Array.isArray(data) || data.length > limit) throw new ContractViolation('data is no array within the limit');
    const slots = data.map((record) => parseSlot(fieldsOf(record)));
    const ids = slots.map((slot) => slot.userId);
    requireAscending(ids, after);
    return { slots, nextCursor: nextUserOf(fields, ids, after) };
  };
