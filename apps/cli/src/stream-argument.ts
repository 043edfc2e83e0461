import { invalidRequest, type StreamName, streamId, streamName } from '#kernel';

const STREAM = /^[^-]+-.+$/;

/** Reads the name of a stream, `<category>-<id>`. */
export const asStream = (text: string): StreamName => {
  if (!STREAM.test(text)) throw invalidRequest({ field: 'stream', message: 'must be a category, a hyphen and an id' });
  const id = streamId(text);
  return streamName(text.slice(0, -id.length - 1), id);
};
