import { type GraphTask, getTopologicalOrder } from '../base/graph.ts';

/** A task as it is drawn. */
export interface DrawnTask extends GraphTask {
  readonly title: string;
  readonly mark?: string;
}

const DEFAULT_WIDTH = 100;

/**
 * The graph in layers: what can start at once stands together, and behind each task what it waits for.
 * Lines are cut to `width`, so that it can be read in any terminal.
 */
export function drawGraph(tasks: readonly DrawnTask[], width = DEFAULT_WIDTH): string {
  const byId = new Map(tasks.map(task => [task.id, task]));
  const layers: string[][] = [];
  const depth = new Map<string, number>();
  for (const id of getTopologicalOrder(tasks)) {
    const needs = byId.get(id)?.dependsOn ?? [];
    const own = 1 + Math.max(-1, ...needs.map(other => depth.get(other) ?? -1));
    depth.set(id, own);
    layers[own] = [...(layers[own] ?? []), id];
  }
  const idWidth = Math.max(0, ...tasks.map(task => task.id.length));
  const lines = layers.flatMap((ids, layer) => [
    ...(layer === 0 ? [] : ['  │']),
    ...ids.map((id, i) =>
      getLine(byId.get(id) as DrawnTask, getBranch(layer, i, ids.length), idWidth, width),
    ),
  ]);
  return lines.join('\n');
}

function getBranch(layer: number, i: number, count: number): string {
  if (layer === 0) return '  ●';
  return i === count - 1 ? '  └─' : '  ├─';
}

function getLine(task: DrawnTask, branch: string, idWidth: number, width: number): string {
  const needs = task.dependsOn.length > 0 ? `  ← ${task.dependsOn.join(', ')}` : '';
  const mark = task.mark ? `${task.mark} ` : '';
  const start = `${branch} ${mark}${task.id.padEnd(idWidth)}  `;
  const room = Math.max(10, width - start.length - Math.min(needs.length, Math.floor(width / 3)));
  const title = cut(task.title.replaceAll(/\s+/g, ' ').trim(), room);
  return cut(`${start}${title}${needs}`, width);
}

function cut(text: string, length: number): string {
  const letters = [...text];
  return letters.length <= length ? text : `${letters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
