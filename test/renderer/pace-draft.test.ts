import { describe, expect, it } from 'vitest';
import { paceDraft, readPace } from '../../src/renderer/views/settings/pace-draft.ts';
import { Pace, USUAL_PACE } from '../../src/shared/settings.ts';

const PACE = USUAL_PACE;
const draft = paceDraft(PACE, 'Asia/Shanghai');

describe('the pace in its form', () => {
  it('reads back as the pace it shows', () => {
    expect(readPace(draft)).toEqual({ ok: true, pace: PACE });
  });

  it('gives hours that the settings take', () => {
    const read = readPace({ ...draft, hoursOn: true, days: [5, 1], perHour: '' });

    expect(read.ok && Pace.safeParse(read.pace).success).toBe(true);
    expect(read).toMatchObject({ pace: { perHour: null, workingHours: { days: [1, 5], timeZone: 'Asia/Shanghai' } } });
  });

  it('takes an empty field as no limit', () => {
    const empty = { perHourPerDomain: '', rampUpDays: '', equalErrors: '', refusedPercent: '' };

    expect(readPace({ ...draft, ...empty })).toMatchObject({
      pace: { perHourPerDomain: null, rampUpDays: null, pauseAfterEqualErrors: null, pauseAboveRefusedPercent: null },
    });
  });

  it.each([
    [{ gapFrom: '90' }, ['gap']],
    [{ gapTo: '4000' }, ['gap']],
    [{ gapFrom: 'soon' }, ['gap']],
    [{ perDay: '0' }, ['limit']],
    [{ perHour: '1.5' }, ['limit']],
    [{ perMinute: '1001', perHourPerDomain: 'x' }, ['limit']],
    [{ rampUpDays: '91' }, ['ramp']],
    [{ equalErrors: '1', refusedPercent: '96' }, ['pause']],
    [{ hoursOn: true, from: '18:00', to: '09:00' }, ['hours']],
    [{ hoursOn: true, days: [] }, ['days']],
  ] as const)('names what is wrong with %j', (part, faults) => {
    expect(readPace({ ...draft, ...part })).toEqual({ ok: false, faults });
  });
});
