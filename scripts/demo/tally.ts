/** A message the mail server took over, as the server itself saw it. */
export type Accepted = {
  readonly messageId: string;
  /** Envelope recipients. */
  readonly recipients: readonly string[];
};

/** One mail of the task, as the cloud knows it at the end. */
export type TaskMail = {
  readonly id: string;
  readonly toAddress: string;
  readonly state: 'sent' | 'failed' | 'uncertain' | 'open';
  readonly messageId: string | null;
};

export type Tally = {
  readonly queued: number;
  readonly sent: number;
  readonly failed: number;
  readonly uncertain: number;
  /** Mails of this task that the server took over. */
  readonly delivered: number;
  /** Messages whose Message-ID or recipient the server had seen before, in this run or an earlier one. */
  readonly duplicates: number;
  readonly seconds: number;
};

/** Counts both sides and names everything that does not fit together; an empty list means that all is well. */
export function tallyUp(facts: {
  readonly mails: readonly TaskMail[];
  readonly earlier: readonly Accepted[];
  readonly accepted: readonly Accepted[];
  readonly seconds: number;
}): { readonly tally: Tally; readonly problems: readonly string[] } {
  const { mails, earlier, accepted, seconds } = facts;
  const problems: string[] = [];
  const count = (state: TaskMail['state']) => mails.filter((mail) => mail.state === state).length;
  const byAddress = new Map(mails.map((mail) => [mail.toAddress, mail]));
  const arrivedIds = new Map(accepted.flatMap((message) => message.recipients.map((to) => [to, message.messageId])));

  const duplicates = repeated(earlier, accepted);
  for (const repeat of duplicates) problems.push(`arrived twice: ${repeat}`);
  for (const { messageId, recipients } of accepted) {
    if (recipients.length !== 1) problems.push(`${messageId} arrived with ${recipients.length} recipients`);
    for (const to of recipients) if (!byAddress.has(to)) problems.push(`arrived, but not of this task: ${to}`);
  }
  for (const { id, toAddress, state, messageId } of mails) {
    const arrivedAs = arrivedIds.get(toAddress);
    if (state === 'open') problems.push(`mail ${id} has no outcome`);
    if (state === 'sent' && arrivedAs === undefined) problems.push(`mail ${id} is sent, but never arrived`);
    if (state === 'failed' && arrivedAs !== undefined) problems.push(`mail ${id} failed, but arrived`);
    if (state === 'sent' && arrivedAs !== undefined && messageId !== arrivedAs) {
      problems.push(`mail ${id} arrived as ${arrivedAs}, but is told as ${messageId ?? 'nothing'}`);
    }
  }
  const tally = {
    queued: mails.length,
    sent: count('sent'),
    failed: count('failed'),
    uncertain: count('uncertain'),
    delivered: mails.filter((mail) => arrivedIds.has(mail.toAddress)).length,
    duplicates: duplicates.length,
    seconds,
  };
  if (tally.queued !== tally.sent + tally.failed + tally.uncertain) {
    problems.push(
      `queued ${tally.queued} is not sent ${tally.sent} + failed ${tally.failed} + uncertain ${tally.uncertain}`,
    );
  }
  if (tally.delivered < tally.sent || tally.delivered > tally.sent + tally.uncertain) {
    problems.push(`delivered ${tally.delivered} does not lie between sent ${tally.sent} and sent + uncertain`);
  }
  return { tally, problems };
}

/** One line for each message of `accepted` that repeats an older one. */
function repeated(earlier: readonly Accepted[], accepted: readonly Accepted[]): string[] {
  const seen = new Set(earlier.flatMap(marksOf));
  const repeats: string[] = [];
  for (const message of accepted) {
    const known = marksOf(message).filter((mark) => seen.has(mark));
    if (known.length > 0) repeats.push(known.join(' '));
    for (const mark of marksOf(message)) seen.add(mark);
  }
  return repeats;
}

const marksOf = ({ messageId, recipients }: Accepted): string[] => [
  `id ${messageId}`,
  ...recipients.map((to) => `to ${to}`),
];
