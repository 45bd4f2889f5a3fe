import type { Point } from './trend.ts';

/** A line of a chart. */
export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

/** Lines that share a unit and begin at 0, and what happened meanwhile. */
export interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

/** A moment, as a vertical line over all panels. */
export interface Mark {
  readonly at: number;
  readonly name: string;
}

const width = 960;
const height = 220;
const margin = { left: 70, right: 20, top: 40, bottom: 30 };
const colours = ['#2563eb', '#d97706', '#059669', '#7c3aed', '#dc2626'];

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Panels below each other over one axis of time, as an SVG of its own. @param seconds the end of the axis */
export function chartOf(panels: readonly Panel[], marks: readonly Mark[], seconds: number): string {
  const x = (at: number): number =>
    margin.left + (at / Math.max(1, seconds)) * (width - margin.left - margin.right);
  const drawn = panels.map(
    (panel, index) =>
      `<g transform="translate(0 ${index * height})">${panelOf(panel, marks, x, seconds)}</g>`,
  );
  const tall = panels.length * height;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${tall}" width="${width}" height="${tall}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${tall}" fill="#fff"/>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

function panelOf(
  { title, unit, series }: Panel,
  marks: readonly Mark[],
  x: (at: number) => number,
  seconds: number,
): string {
  const most = Math.max(1, ...series.flatMap(({ points }) => points.map(({ value }) => value)));
  const bottom = height - margin.bottom;
  const y = (value: number): number => bottom - (value / most) * (bottom - margin.top);
  // Lines of one name are parts of one.
  const named = [...new Set(series.map(({ name }) => name))];
  const lines = series.map(({ name, points }) => {
    const path = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return `<polyline points="${path}" fill="none" stroke="${colourOf(named.indexOf(name))}" stroke-width="1.5"/>`;
  });
  const names = named.map(
    (name, index) =>
      `<text x="${margin.left + 250 + index * 130}" y="20" fill="${colourOf(index)}">${escaped(name)}</text>`,
  );
  const moments = marks.map(
    ({ at, name }) =>
      `<line x1="${x(at).toFixed(1)}" x2="${x(at).toFixed(1)}" y1="${margin.top}" y2="${bottom}" stroke="#999" stroke-dasharray="3 3"><title>${escaped(name)}</title></line>`,
  );
  return [
    `<text x="${margin.left}" y="20" font-weight="bold">${escaped(`${title}, ${unit}`)}</text>`,
    ...names,
    `<line x1="${margin.left}" x2="${width - margin.right}" y1="${bottom}" y2="${bottom}" stroke="#333"/>`,
    `<text x="${margin.left - 8}" y="${margin.top + 4}" text-anchor="end">${Number(most.toPrecision(3))}</text>`,
    `<text x="${margin.left - 8}" y="${bottom}" text-anchor="end">0</text>`,
    `<text x="${width - margin.right}" y="${bottom + 18}" text-anchor="end">${Math.round(seconds / 6) / 10} min</text>`,
    ...moments,
    ...lines,
  ].join('\n');
}

const colourOf = (index: number): string => colours[index % colours.length] ?? '#000';
