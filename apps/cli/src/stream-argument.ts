import { categoryOf, invalidRequest, type StreamName, streamName } from '#kernel';

/** Reads the name of a stream, `<category>-<id>`. */
export const asStream = (text: string): StreamName => {
  const category = categoryOf(text);
  if (category === '') throw invalidRequest({ field: 'stream', message: 'must be a category, a hyphen and an id' });
  return streamName(category, text.slice(category.length + 1));
};
