type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
type Size = Pick<Box, 'width' | 'height'>;

const GAP = 8;

/** Where a window stands by the tray's icon: centred on it, below a bar at the top, above one at the bottom. */
export function placeBeside(tray: Box, size: Size, area: Box): { readonly x: number; readonly y: number } {
  const isAtTop = tray.y + tray.height / 2 < area.y + area.height / 2;
  const x = tray.x + tray.width / 2 - size.width / 2;
  const y = isAtTop ? tray.y + tray.height + GAP : tray.y - size.height - GAP;
  return {
    x: Math.round(within(x, area.x + GAP, area.x + area.width - size.width - GAP)),
    y: Math.round(within(y, area.y + GAP, area.y + area.height - size.height - GAP)),
  };
}

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
