/**
 * One character that nobody can see (D96): white space, a control or format character, a default-ignorable code point
 * such as U+3164, or the blank Braille pattern U+2800. The source of an expression that needs the flag `u`.
 */
export const INVISIBLE = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]`;

const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');

export const withoutInvisible = (text: string): string => text.replaceAll(EACH_INVISIBLE, '');

/** What stays after a visible character, which it changes: selectors, joiners, and the tags of a flag (D33). */
const CHANGES_VISIBLE = String.raw`[\p{Variation_Selector}\p{Join_Control}\u{e0020}-\u{e007f}]`;

const VISIBLE = `(?!${INVISIBLE}).`;
const ONE_VISIBLE = new RegExp(VISIBLE, 'su');
const FROM_FIRST_TO_LAST_VISIBLE = new RegExp(`${VISIBLE}(?:.*${VISIBLE})?${CHANGES_VISIBLE}*`, 'su');

/** Without what nobody can see at either end (D33, D96). */
export const withoutInvisibleEnds = (text: string): string => FROM_FIRST_TO_LAST_VISIBLE.exec(text)?.[0] ?? '';

/** Whether nothing of a text can be seen. */
export const isBlank = (text: string): boolean => !ONE_VISIBLE.test(text);
