import type { Page } from 'playwright-core';

/** Everything the page's engine holds, as the text of a heap snapshot: its strings stand in it as JSON writes them. */
export async function rendererHeap(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => pieces.push(chunk));
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return pieces.join('');
}
