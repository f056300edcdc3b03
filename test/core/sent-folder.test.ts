import { describe, expect, it } from 'vitest';
import { type ListedFolder, sentFolderOf } from '../../src/main/core/sent-folder.ts';

const folder = (path: string, facts: Partial<ListedFolder> = {}): ListedFolder => ({
  path,
  name: path.split('/').at(-1) ?? path,
  isSentByServer: false,
  isSentByName: false,
  isSelectable: true,
  ...facts,
});

describe('The Sent folder', () => {
  it('is the one the server names, whatever others are called', () => {
    const told = folder('[Gmail]/已发邮件', { isSentByServer: true });
    expect(sentFolderOf([folder('INBOX'), folder('Sent'), told])).toBe(told);
  });

  it.each([
    'Sent Messages',
    'Sent Items',
    'Sent Mail',
    'INBOX/Sent',
    'INBOX/ Sent ',
    '已发送',
    '已发送邮件',
    '已发送消息',
    '已发邮件',
    '已傳送',
    '寄件備份',
    '寄件备份',
  ])('is known by the name %s', (path) => {
    expect(sentFolderOf([folder('INBOX'), folder('Drafts'), folder(path)])?.path).toBe(path);
  });

  it('is known in other languages by the list of the library', () => {
    expect(sentFolderOf([folder('INBOX'), folder('Gesendet', { isSentByName: true })])?.path).toBe('Gesendet');
  });

  it('is never a folder that holds no mails, nor one that is only called like it', () => {
    const empty = folder('Sent', { isSelectable: false, isSentByServer: true });
    expect(sentFolderOf([folder('INBOX'), empty, folder('Sent to clients')])).toBeNull();
  });
});
