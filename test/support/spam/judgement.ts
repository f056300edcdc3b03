/** What a spam filter says of a mail: its score, and each rule that counted. */
export type Judgement = { readonly score: number; readonly rules: Readonly<Record<string, number>> };
