/** The runner of all read models. Its checkpoint shows readers how far they are. */
export const READ_MODELS = 'read-models';
