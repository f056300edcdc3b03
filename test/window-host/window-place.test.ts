import { describe, expect, it } from 'vitest';
import { placeBeside } from '../../src/main/window-host/window-place.ts';

const SIZE = { width: 440, height: 680 };
const AREA = { x: 0, y: 0, width: 1920, height: 1040 };

describe('the window', () => {
  it('stands above a bar at the bottom and within the screen', () => {
    expect(placeBeside({ x: 1800, y: 1045, width: 24, height: 30 }, SIZE, AREA)).toEqual({ x: 1472, y: 352 });
  });

  it('hangs below a bar at the top, centred on the icon', () => {
    expect(placeBeside({ x: 1000, y: 0, width: 24, height: 24 }, SIZE, { ...AREA, y: 24 })).toEqual({ x: 792, y: 32 });
  });
});
