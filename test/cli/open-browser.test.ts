import { expect, test } from 'vitest';
import { browserCommand } from '../../src/cli/open-browser.js';
import { systemOf } from '../../src/system.js';

const address = 'http://127.0.0.1:8080/board/#code=a$(b)&c%s';

test('the browser is that of BROWSER or of the system, and the address is one argument', () => {
  const command = (browser: string | undefined, name: NodeJS.Platform = 'linux') => browserCommand(address, { BROWSER: browser }, systemOf(name));
  expect(command(undefined)).toEqual(['xdg-open', address]);
  expect(command('')).toEqual(['xdg-open', address]);
  expect(command(undefined, 'darwin')).toEqual(['open', address]);
  expect(command(undefined, 'win32')).toEqual(['rundll32', 'url.dll,FileProtocolHandler', address]);
  expect(command('firefox')).toEqual(['firefox', address]);
  expect(command('firefox --new-window:lynx')).toEqual(['firefox', '--new-window', address]);
  expect(command('chromium --app=%s --incognito')).toEqual(['chromium', `--app=${address}`, '--incognito']);
  expect(command('C:\\firefox.exe', 'win32')).toEqual(['C:\\firefox.exe', address]);
});
