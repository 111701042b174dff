import type { Label, LabelSize, Symbology } from './label.js';

// All lengths are in dots of the printer.
const marginMm = 2;
const millimetresPerInch = 25.4;
/** The modules of the bars of each kind, quiet zones included. */
const modules: Readonly<Record<Exclude<Symbology, 'qrcode'>, (code: string) => number>> = {
  ean13: () => 115,
  ean8: () => 87,
  upca: () => 115,
  itf14: () => 155,
  code128: (code) => 11 * code.length + 55,
};
const commands: Readonly<Record<Exclude<Symbology, 'qrcode'>, (height: number) => string>> = {
  ean13: (height) => `^BEN,${height},Y,N`,
  ean8: (height) => `^B8N,${height},Y,N`,
  upca: (height) => `^BUN,${height},Y,N,Y`,
  itf14: (height) => `^B2N,${height},Y,N,N`,
  code128: (height) => `^BCN,${height},Y,N,N,A`,
};
/** The printer adds the check digits of these by itself. */
const withoutCheckDigit: ReadonlySet<Symbology> = new Set(['ean13', 'ean8', 'upca']);
/** The modules of a QR code of a few dozen characters. */
const qrModules = 33;

/** A text as the data of a field: each character that ZPL reads, and each beyond ASCII, as the bytes of its UTF-8 in hexadecimal. */
function fieldData(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f && !'^~\\_'.includes(String.fromCodePoint(byte))
        ? String.fromCodePoint(byte)
        : `_${byte.toString(16).padStart(2, '0').toUpperCase()}`,
    )
    .join('');
}

function barsField({ code, symbology }: Label, width: number, top: number, height: number): string {
  const left = (barsWidth: number): number => Math.max(0, Math.round((width - barsWidth) / 2));
  if (symbology === 'qrcode') {
    const module = Math.max(2, Math.min(10, Math.floor(Math.min(height, width) / qrModules)));
    return `^FO${left(qrModules * module)},${top}^BQN,2,${module}^FH^FDMA,${fieldData(code)}^FS`;
  }
  const module = Math.max(1, Math.min(4, Math.floor(width / modules[symbology](code))));
  const data = withoutCheckDigit.has(symbology) ? code.slice(0, -1) : code;
  // The digits below the bars take about a fifth of the height.
  const bars = Math.max(20, Math.round(height * 0.78));
  return `^BY${module}^FO${left((modules[symbology](code) - 20) * module)},${top}${commands[symbology](bars)}^FH^FD${fieldData(data)}^FS`;
}

/** A label in ZPL, the language of label printers; `copies` are printed of it. */
export function zplLabel(label: Label, { size, dpi, copies }: { readonly size: LabelSize; readonly dpi: number; readonly copies: number }): string {
  const dots = (millimetres: number): number => Math.round((millimetres / millimetresPerInch) * dpi);
  const [width, height, margin] = [dots(size.width), dots(size.height), dots(marginMm)];
  const line = (text: string, top: number, letters: number): string =>
    `^FO${margin},${top}^A0N,${letters},${letters}^FB${width - 2 * margin},1,0,C^FH^FD${fieldData(text)}^FS`;
  const nameHeight = Math.round(height * 0.15);
  const categoryHeight = label.category === undefined ? 0 : Math.round(height * 0.11);
  const top = margin + nameHeight + categoryHeight + Math.round(margin / 2);
  return [
    '^XA^CI28',
    `^PW${width}^LL${height}`,
    line(label.name, margin, nameHeight),
    ...(label.category === undefined ? [] : [line(label.category, margin + nameHeight, categoryHeight)]),
    barsField(label, width, top, height - top - margin),
    `^PQ${copies}^XZ`,
    '',
  ].join('\n');
}
