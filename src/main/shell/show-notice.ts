import { Notification } from 'electron';
import type { Notice } from '../window-host/notices.ts';

/** One of a kind at a time: a newer word replaces the older. */
const shown = new Map<Notice['kind'], Notification>();

export function showNotice(notice: Notice, title: string, open: (place: Notice['place']) => void): void {
  if (!Notification.isSupported()) return;
  shown.get(notice.kind)?.close();
  const note = new Notification({ title, body: notice.text, silent: notice.kind === 'batch-done' });
  // Held until it closes: a collected notification cannot be clicked.
  shown.set(notice.kind, note);
  note.on('click', () => open(notice.place));
  note.on('close', () => {
    if (shown.get(notice.kind) === note) shown.delete(notice.kind);
  });
  note.show();
}
