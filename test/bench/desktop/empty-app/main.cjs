// The least that an Electron app in the tray can be: what ours is measured against.
const path = require('node:path');
const { app, Menu, Tray } = require('electron');

app.setPath('userData', path.join(app.getPath('home'), 'empty-app'));
// As ours does; otherwise Chromium's graphics process would make the empty one the heavier.
app.disableHardwareAcceleration();
app.whenReady().then(() => {
  const tray = new Tray(path.join(__dirname, 'icon.png'));
  tray.setToolTip('Empty');
  tray.setContextMenu(Menu.buildFromTemplate([{ label: 'Quit', click: () => app.quit() }]));
  globalThis.tray = tray;
});
