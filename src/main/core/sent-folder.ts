/** A folder as the server lists it; `name` is the last part of its path, decoded. */
export type ListedFolder = {
  readonly path: string;
  readonly name: string;
  /** The server itself says what the folder is for (RFC 6154). */
  readonly isSentByServer: boolean;
  /** The library takes it for one by its name in one of many languages. */
  readonly isSentByName: boolean;
  /** Cannot hold mails: it only has other folders under it. */
  readonly isSelectable: boolean;
};

/** Names under which providers list what was sent, lower-case; the more telling first. */
const WELL_KNOWN = [
  'sent',
  'sent messages',
  'sent items',
  'sent mail',
  '已发送',
  '已发送邮件',
  '已发送消息',
  '已发邮件',
  '已傳送',
  '寄件備份',
  '寄件备份',
];

/**
 * The folder that keeps what was sent: the one the server says it is, else one with a well-known name, else one the
 * library knows by name. Null where there is none: a mail is then never looked for in a wrong place.
 */
export function sentFolderOf(folders: readonly ListedFolder[]): ListedFolder | null {
  const usable = folders.filter((folder) => folder.isSelectable);
  const told = usable.find((folder) => folder.isSentByServer);
  if (told !== undefined) return told;
  for (const name of WELL_KNOWN) {
    const named = usable.find((folder) => folder.name.trim().toLowerCase() === name);
    if (named !== undefined) return named;
  }
  return usable.find((folder) => folder.isSentByName) ?? null;
}
