import { describe, expect, it } from 'vitest';
import { type TaskCounts, taskProgress } from '../../src/main/core/progress.ts';

const counts = (change: Partial<TaskCounts> = {}): TaskCounts => ({
  taskId: 't',
  name: 'Spring',
  open: 8,
  sent: 12,
  failed: 0,
  uncertain: 0,
  told: null,
  ...change,
});

describe('how far a task is', () => {
  it('counts with the mails that are still in the queue or on another computer', () => {
    const told = { total: 40, queued: 20, sent: 10, failed: 0 };

    expect(taskProgress(counts({ told }))).toEqual({
      taskId: 't',
      name: 'Spring',
      total: 40,
      sent: 12,
      failed: 0,
      uncertain: 0,
    });
  });

  it('takes the cloud’s word where another computer has sent more than this one', () => {
    expect(taskProgress(counts({ told: { total: 40, queued: 0, sent: 31, failed: 2 } }))).toMatchObject({
      sent: 31,
      failed: 2,
    });
  });

  it('counts what is here while the cloud has told nothing, or too little', () => {
    expect(taskProgress(counts())).toMatchObject({ total: 20, sent: 12 });
    expect(taskProgress(counts({ failed: 3, uncertain: 2 }))).toMatchObject({ total: 25, failed: 3, uncertain: 2 });
    expect(taskProgress(counts({ told: { total: 1, queued: 0, sent: 0, failed: 0 } }))).toMatchObject({ total: 20 });
  });
});
