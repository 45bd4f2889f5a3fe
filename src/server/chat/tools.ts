import { propose, whyNot } from './action-tools.ts';
import { changes } from './changes-tool.ts';
import { findings } from './findings-tool.ts';
import { helm, rollout } from './history-tools.ts';
import { logs } from './log-tool.ts';
import { events, get, list, related } from './object-tools.ts';
import type { Tool } from './tool.ts';
import { usage } from './usage-tool.ts';

/** Everything that a model can ask for. */
export const tools: readonly Tool[] = [
  findings,
  list,
  get,
  events,
  logs,
  related,
  usage,
  changes,
  rollout,
  helm,
  whyNot,
  propose,
];
