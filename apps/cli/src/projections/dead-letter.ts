import type { DeadLetterDocument } from '#projections';

/** What an operator needs to find the item in the log, without personal data. */
export const shownDeadLetter = ({ id, runner, part, item, workspaceId, error, at }: DeadLetterDocument) => ({
  id,
  runner,
  read_model: part,
  item: itemOf(item),
  workspace_id: workspaceId,
  error,
  set_aside_at: at,
});

const itemOf = (item: DeadLetterDocument['item']): string => {
  switch (item.kind) {
    case 'event':
      return `event ${item.eventId}, ${item.stream} at ${item.revision}`;
    case 'dueItem':
      return `due work ${item.itemId}`;
    case 'delivery':
      return `delivery ${item.deliveryId}`;
  }
};
