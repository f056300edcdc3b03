/** Marks that turn the reading direction or take no space: they make a text look like another. */
const UNSEEN_MARKS = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

/** The text as a person may be shown it; joiners inside emoji and scripts stay. */
export const withoutUnseenMarks = (text: string): string => text.replace(UNSEEN_MARKS, '');
