import stringWidth from 'string-width';

/** What a terminal shows, line by line up to the last that is not empty; long lines wrap at its width. */
export function screenOf(output: string, columns = 80): readonly string[] {
  const lines: string[][] = [[]];
  let [row, column] = [0, 0];
  const line = (): string[] => (lines[row] ??= []);
  const show = (character: string): void => {
    const width = stringWidth(character);
    if (column + width > columns) [row, column] = [row + 1, 0];
    const cells = line();
    while (cells.length < column) cells.push(' ');
    cells.splice(column, width, character, ...Array.from({ length: width - 1 }, () => ''));
    column += width;
  };
  const control = (count: number, action: string): void => {
    if (action === 'A') row = Math.max(0, row - count);
    if (action === 'B') row += count;
    if (action === 'C') column += count;
    if (action === 'D') column = Math.max(0, column - count);
    if (action === 'G') column = count - 1;
    if (action === 'K') line().length = count === 2 ? 0 : Math.min(line().length, column);
    if (action === 'J') lines.length = Math.min(lines.length, row + 1);
  };
  // eslint-disable-next-line no-control-regex -- the control sequences of a terminal
  for (const [token, count, action] of output.matchAll(/\u001b\[\??([0-9]*)[0-9;]*([A-Za-z])|[^]/gu)) {
    if (action !== undefined) control(count === '' && !'KJ'.includes(action) ? 1 : Number(count), action);
    else if (token === '\n') [row, column] = [row + 1, 0];
    else if (token === '\r') column = 0;
    else if (token >= ' ') show(token);
  }
  const shown = Array.from(lines, (cells = []) => cells.join('').trimEnd());
  return shown.slice(0, shown.findLastIndex((text) => text !== '') + 1);
}
