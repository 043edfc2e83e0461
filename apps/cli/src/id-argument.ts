import { type Branded, type IdKind, notFound, parseId } from '#kernel';

/** The id that an argument names. Another kind's id, or no id, is not found. */
export const idArgument = <Kind extends IdKind>(kind: Kind, what: string, text = ''): Branded<Kind> => {
  const id = parseId(kind, text);
  if (id === undefined) throw notFound(what, `${text} does not exist`);
  return id;
};

export const endpointOf = (text: string | undefined) => idArgument('webhookEndpoint', 'endpoint', text);
export const deliveryOf = (text: string | undefined) => idArgument('webhookDelivery', 'delivery', text);
