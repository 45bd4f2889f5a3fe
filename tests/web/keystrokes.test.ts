import { describe, expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { bindingsOf, resolveKeys } from '../../src/registry/keys/keymap.ts';
import { parseKeys } from '../../src/registry/keys/keys.ts';
import type { ContextKeys } from '../../src/registry/commands/when.ts';
import { ask, moments } from './palette/moments.ts';
import { pageContext } from './palette-moment.ts';

const bindings = bindingsOf(commands);

/** One part of a journey. */
type Step =
  /** Keys of a command, pressed in a context. */
  | { readonly keys: string; readonly in: ContextKeys; readonly does: string }
  /** Text and keys that a field takes, each a stroke. */
  | { readonly typed: string; readonly after?: readonly string[] }
  /** A text in the palette and Enter, which takes its first entry. */
  | { readonly asks: string; readonly at: keyof typeof moments; readonly gets: string };

/** In a list, on a row of a kind. */
const row = (kind: string): ContextKeys => ({ ...pageContext, focus: 'table', kind, row: 'opens' });
const log: ContextKeys = { ...pageContext, focus: 'log', kind: 'pod' };
/** In a dialog that asks, with the focus in one of its fields or on a button. */
const dialog: ContextKeys = { ...pageContext, overlay: 'dialog', focus: 'input' };
/** In the text that is edited. */
const text: ContextKeys = { ...pageContext, focus: 'input', kind: 'deployment' };

interface Journey {
  readonly steps: readonly Step[];
  /** What k9s 0.51 takes with its own keys, and how these are counted. */
  readonly k9s: readonly string[];
}

const confirm: Step = { keys: 'mod+enter', in: dialog, does: 'dialog.submit' };

/**
 * From a list with the cursor on the object. Each stroke counts one, a chord too; names that must be typed in both are as
 * long here as there. k9s asks before it deletes, scales, restarts and rolls back in a dialog that begins on Cancel.
 */
const journeys: Readonly<Record<string, Journey>> = {
  'the list of pods': {
    steps: [{ keys: 'g p', in: row('deployment'), does: 'pod.list' }],
    k9s: [':', 'p', 'o', 'enter'],
  },
  logs: { steps: [{ keys: 'l', in: row('pod'), does: 'object.logs' }], k9s: ['l'] },
  'the log of the run before': {
    steps: [{ keys: 'p', in: row('pod'), does: 'object.previousLogs' }],
    k9s: ['p'],
  },
  'search in a log': {
    steps: [
      { keys: '/', in: log, does: 'log.search' },
      { typed: 'error', after: ['enter'] },
    ],
    k9s: ['/', 'e', 'r', 'r', 'o', 'r', 'enter'],
  },
  shell: { steps: [{ keys: 's', in: row('pod'), does: 'pod.shell' }], k9s: ['s'] },
  delete: {
    steps: [{ keys: 'shift+d', in: row('pod'), does: 'object.delete' }, confirm],
    k9s: ['ctrl-d', 'tab', 'enter'],
  },
  scale: {
    steps: [{ keys: 'shift+s', in: row('deployment'), does: 'deployment.scale' }, { typed: '5' }, confirm],
    k9s: ['s', 'backspace', '5', 'tab', 'enter'],
  },
  restart: {
    steps: [{ keys: 'r', in: row('deployment'), does: 'deployment.restart' }, confirm],
    k9s: ['r', 'tab', 'enter'],
  },
  'roll back': {
    steps: [{ keys: 'shift+b', in: row('deployment'), does: 'deployment.rollback' }, confirm],
    // Its ReplicaSets, the one before, and the dialog.
    k9s: ['z', 'j', 'ctrl-l', 'tab', 'enter'],
  },
  'edit and save': {
    steps: [
      { keys: 'e', in: row('deployment'), does: 'object.edit' },
      { keys: 'mod+s', in: text, does: 'editor.save' },
      { keys: 'mod+s', in: text, does: 'editor.save' },
    ],
    // vi saves and ends by :wq.
    k9s: ['e', ':', 'w', 'q', 'enter'],
  },
  'another namespace': {
    steps: [{ keys: '2', in: row('pod'), does: 'cluster.namespaceTwo' }],
    k9s: ['2'],
  },
  'the same list in another cluster': {
    steps: [{ asks: '#stag', at: 'podRow', gets: 'staging' }],
    // The context, whose name it completes, then the list again.
    k9s: [':', 'c', 't', 'x', ' ', 's', 't', 'tab', 'enter', ':', 'p', 'o', 'enter'],
  },
  split: {
    steps: [{ keys: 'w v', in: row('pod'), does: 'workspace.splitRight' }],
    // It has none: a terminal multiplexer's, and another k9s in it.
    k9s: ['ctrl-b', '%', 'k', '9', 's', 'enter'],
  },
  'why it is broken': {
    // The page begins with what is wrong.
    steps: [{ keys: 'd', in: row('pod'), does: 'table.open' }],
    // The events are at the end of the description.
    k9s: ['d', 'G'],
  },
  'only what is broken': {
    steps: [{ keys: 'shift+u', in: row('pod'), does: 'table.unhealthy' }],
    k9s: ['ctrl-z'],
  },
};

/** Plays a step: checks that its keys do what it says, and counts them. */
function strokesOf(step: Step): number {
  if ('typed' in step) return step.typed.length + (step.after?.length ?? 0);
  if ('asks' in step) {
    expect(resolveKeys(bindings, parseKeys('mod+k'), moments[step.at].context)).toMatchObject({
      type: 'run',
      command: { id: 'palette.open' },
    });
    expect(ask(step.asks, moments[step.at]).entries[0]?.title).toBe(step.gets);
    return 1 + step.asks.length + 1;
  }
  const strokes = parseKeys(step.keys);
  for (const [at] of strokes.entries()) {
    const resolution = resolveKeys(bindings, strokes.slice(0, at + 1), step.in);
    if (at + 1 < strokes.length) expect(resolution.type).toBe('pending');
    else expect(resolution).toMatchObject({ type: 'run', command: { id: step.does } });
  }
  return strokes.length;
}

describe('the keys of 15 everyday journeys', () => {
  test('are fifteen', () => expect(Object.keys(journeys)).toHaveLength(15));

  test.each(Object.entries(journeys))('%s takes no more strokes than in k9s', (_, { steps, k9s }) => {
    const strokes = steps.reduce((sum, step) => sum + strokesOf(step), 0);
    expect(strokes).toBeLessThanOrEqual(k9s.length);
  });
});
