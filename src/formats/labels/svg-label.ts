import type { Label, LabelSize, Symbology } from './label.js';
import { fit, measure } from '../text-width.js';

/** Draws bars as an SVG element: `toSVG` of bwip-js. */
export type DrawBars = (options: {
  readonly bcid: Symbology;
  readonly text: string;
  readonly height?: number;
  readonly includetext: boolean;
  readonly textxalign: 'center';
  readonly paddingwidth: number;
}) => string;

// All lengths are in millimetres.
const margin = 1.5;
const largestText = 4;
const smallestText = 1.8;
/** The width of a character as a part of its height. */
const characterWidth = 0.56;
/** The parts of the height of a label for the name and the category. */
const nameShare = 0.2;
const categoryShare = 0.13;
/** How bwip-js draws: units of its picture in a millimetre, the height of bars to begin with, and the modules of a quiet zone. */
const unitsPerMillimetre = (2 * 72) / 25.4;
const usualHeight = 10;
const lowestHeight = 4;
const quietModules = 10;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A line of text in the middle, as large as fits; a text that does not fit in the smallest size is cut. */
function textLine(
  text: string,
  { width, top, height, weight }: { readonly width: number; readonly top: number; readonly height: number; readonly weight: number },
): string {
  const room = width - 2 * margin;
  const size = Math.max(smallestText, Math.min(largestText, height * 0.8, room / (measure(text) * characterWidth)));
  const shown = fit(text, Math.floor(room / (size * characterWidth)));
  const baseline = top + height / 2 + size * 0.35;
  return `<text x="${width / 2}" y="${baseline.toFixed(2)}" font-size="${size.toFixed(2)}" font-weight="${weight}" text-anchor="middle" font-family="sans-serif">${escaped(shown)}</text>`;
}

/** The size of a picture, in its own units. */
function sizeOf(picture: string): LabelSize {
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(picture) ?? [];
  return { width: Number(width), height: Number(height) };
}

/** The bars of a code with their digits, as high as fills a box of this size; a square symbol stays square. */
function barsFor({ code, symbology }: Label, box: LabelSize, draw: DrawBars): string {
  const drawn = (height: number | undefined): string =>
    draw({ bcid: symbology, text: code, includetext: true, textxalign: 'center', paddingwidth: quietModules, ...(height !== undefined && { height }) });
  if (symbology === 'qrcode') return drawn(undefined);
  const usual = sizeOf(drawn(usualHeight));
  const missing = (usual.width * box.height) / box.width - usual.height;
  return drawn(Math.max(lowestHeight, usualHeight + missing / unitsPerMillimetre));
}

/** A label as an SVG element in millimetres. */
export function svgLabel(label: Label, { width, height }: LabelSize, draw: DrawBars): string {
  const { name, category } = label;
  const nameHeight = height * nameShare;
  const categoryHeight = category === undefined ? 0 : height * categoryShare;
  const top = margin + nameHeight + categoryHeight;
  const box = { width: width - 2 * margin, height: height - top - margin };
  const placed = `<svg x="${margin}" y="${top.toFixed(2)}" width="${box.width}" height="${box.height.toFixed(2)}" preserveAspectRatio="xMidYMid meet"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${height}mm" viewBox="0 0 ${width} ${height}">`,
    textLine(name, { width, top: margin, height: nameHeight, weight: 700 }),
    ...(category === undefined ? [] : [textLine(category, { width, top: margin + nameHeight, height: categoryHeight, weight: 400 })]),
    barsFor(label, box, draw).trim().replace('<svg', placed),
    '</svg>',
  ].join('\n');
}
